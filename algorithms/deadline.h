// The deadline that timestamp locks keep in the key's value: a clock reading in whole units.
#pragma once

#include <charconv>
#include <string>

#include "harness/core/lock.h"

namespace locklab {

/// Reads a client's own clock in the unit of its article, rounded down.
class UnitClock {
public:
    UnitClock(Client& client, Duration unit) : client_(client), unit_(unit) {}

    std::int64_t now() const { return us(client_.now()) / unit_.count(); }
    std::int64_t units(Duration duration) const { return duration / unit_; }
    Duration unit() const { return unit_; }

    /// Time, by this clock, until now() is greater than `deadline`.
    Duration until_past(std::int64_t deadline) const {
        return unit_ * (deadline + 1) - Duration(us(client_.now()));
    }

private:
    Client& client_;
    Duration unit_;
};

/// The number in the key's value; 0 if there is none, like Ruby's nil.to_f.
inline std::int64_t deadline_in(const Reply& value) {
    std::int64_t deadline = 0;
    const std::string& text = value.text();
    std::from_chars(text.data(), text.data() + text.size(), deadline);
    return deadline;
}

}  // namespace locklab
