// What a history tells of the key while one claim on it stands: when it is to expire, by whose
// doing, and whether the server may have lost it.
#pragma once

#include <optional>

#include "harness/check/key_log.h"

namespace locklab {

class Hold {
public:
    /// `taking` is what the claim rests on at one server: the key there is followed. The log and
    /// the claim must outlive it.
    Hold(const KeyLog& log, const Claim& claim, const KeyChange& taking);

    /// Whether the change belongs to the claim's own round, or to the round that wrote the value,
    /// as long as the claim did not stand.
    bool is_own(const KeyChange& change) const {
        const bool is_writers = change.round == round_ && change.event < claim_.granted;
        return change.round == claim_.round || is_writers;
    }

    /// The claim's own command made the key, or made it anew.
    void taken(const KeyChange& change);
    /// Somebody gave the key a new time to live.
    void extended(const KeyChange& change);
    /// Somebody put a value with a deadline of his own into the key, and did not get the lock.
    void overwritten(const KeyChange& change);

    bool is_overwritten() const { return overwritten_; }
    /// Whether the key has a time to live.
    bool key_expires() const { return key_end_.has_value(); }
    /// Whether the server has let the key expire by then.
    bool key_past(Instant now) const { return is_past(key_end_, now); }
    /// Whether it would have, had only the claim's own commands moved the deadline.
    bool own_past(Instant now) const { return is_past(own_end_, now); }
    /// Whether the lease is over that was promised with the grant, or with the last renewal.
    bool lease_past(Instant now) const { return is_past(lease_end_, now); }
    /// Whether the lease ran when its holder was told of its grant late, and would have lasted
    /// until now had it begun then.
    bool is_told_late(Instant now) const;
    /// Whether the server lost the value after it was last seen, with time left, and before this.
    bool lost_before(const KeyChange& change) const;

private:
    /// None: never.
    using Deadline = std::optional<Instant>;

    static bool is_past(const Deadline& deadline, Instant now);
    Deadline end_after(const KeyChange& change) const;

    const KeyLog& log_;
    const Claim& claim_;
    const std::uint32_t round_;  ///< that wrote the value
    Deadline key_end_;
    Deadline own_end_;
    Deadline lease_end_;
    const KeyChange* lease_begins_ = nullptr;  ///< by a command of the claim's own
    std::size_t seen_ = 0;                     ///< the value was there at this place in the history
    bool overwritten_ = false;
};

}  // namespace locklab
