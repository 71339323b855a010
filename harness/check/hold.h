// What a history tells of a key while a claim on it stands: when it expires, whose command set that
// deadline, and whether the server may have lost it.
#pragma once

#include <optional>

#include "harness/check/key_log.h"

namespace locklab {

class Hold {
public:
    /// `taking` is what the claim rests on at one server: the key there is followed. The log and
    /// the claim must outlive the hold.
    Hold(const KeyLog& log, const Claim& claim, const KeyChange& taking);

    /// Whether the change belongs to the claim's own round; or, before the grant, to the round that
    /// wrote the value.
    bool is_own(const KeyChange& change) const {
        const bool is_writers = change.round == round_ && change.event < claim_.granted;
        return change.round == claim_.round || is_writers;
    }

    /// The claim's own command created or rewrote the key.
    void taken(const KeyChange& change);
    /// A command gave the key a new time to live.
    void extended(const KeyChange& change);
    /// Another client put a value with its own deadline into the key, and did not get the lock.
    void overwritten(const KeyChange& change);

    bool is_overwritten() const { return overwritten_; }
    /// Whether the key has a time to live.
    bool key_expires() const { return key_end_.has_value(); }
    /// Whether the server has let the key expire by then.
    bool key_past(Instant now) const { return is_past(key_end_, now); }
    /// The same, counting only deadlines set by the claim's own commands.
    bool own_past(Instant now) const { return is_past(own_end_, now); }
    /// Whether the lease promised by the grant, or by the last renewal, is over.
    bool lease_past(Instant now) const { return is_past(lease_end_, now); }
    /// Whether the holder was told of its grant late, and a lease that began at that moment would
    /// still run.
    bool is_told_late(Instant now) const;
    /// Whether the server lost the value, with time left, after it was last seen and before the
    /// change.
    bool lost_before(const KeyChange& change) const;

private:
    /// Empty: never.
    using Deadline = std::optional<Instant>;

    static bool is_past(const Deadline& deadline, Instant now);
    Deadline end_after(const KeyChange& change) const;

    const KeyLog& log_;
    const Claim& claim_;
    const std::uint32_t round_;  ///< the round that wrote the value
    Deadline key_end_;
    Deadline own_end_;
    Deadline lease_end_;
    const KeyChange* lease_begins_ = nullptr;  ///< the last command of its own that set the lease
    std::size_t seen_ = 0;  ///< place in the history at which the value was last seen
    bool overwritten_ = false;
};

}  // namespace locklab
