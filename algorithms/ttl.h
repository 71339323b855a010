// A time to live in the unit that the article counts in: EX and EXPIRE for whole seconds,
// PX and PEXPIRE for anything finer.
#pragma once

#include "harness/core/lock.h"

namespace locklab {

class Ttl {
public:
    explicit Ttl(const LockOptions& options)
        : seconds_(options.clock_unit >= std::chrono::seconds(1)), duration_(options.ttl) {}

    const char* option() const { return seconds_ ? "EX" : "PX"; }
    const char* expire() const { return seconds_ ? "EXPIRE" : "PEXPIRE"; }
    std::int64_t count() const {
        return seconds_ ? duration_ / std::chrono::seconds(1) : milliseconds();
    }
    std::int64_t milliseconds() const { return duration_ / std::chrono::milliseconds(1); }
    Duration duration() const { return duration_; }

private:
    bool seconds_;
    Duration duration_;
};

}  // namespace locklab
