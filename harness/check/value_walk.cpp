#include "harness/check/value_walk.h"

#include <algorithm>
#include <optional>

#include "harness/check/hold.h"
#include "harness/check/object_cause.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// Follows the value that one grant rests on, up to the command that ended that claim, or that took
/// the key for another client.
class Walk {
public:
    Walk(const KeyLog& log, const Claim& claim, std::size_t begin, std::size_t end)
        : log_(log),
          claim_(claim),
          begin_(begin),
          end_(end),
          taking_(log.changes()[begin]),
          hold_(log, claim, taking_) {}

    Cause cause() {
        for (std::size_t i = begin_ + 1; i <= end_; ++i) {
            const KeyChange& change = log_.changes()[i];
            if (!log_.shows(log_.changes()[end_], change)) continue;
            const std::optional<Cause> cause = step(change, i == end_);
            if (!cause) continue;
            if (had_no_key_left(change, *cause)) return Cause::no_key;
            const bool expired = cause == Cause::expired_while_held;
            if (expired && hold_.is_told_late(change.at)) return Cause::late_reply;
            if (expired && log_.went_elsewhere(claim_, begin_, i)) return Cause::failover;
            return *cause;
        }
        return Cause::unexplained;
    }

private:
    /// Whether the change, which stands before the end, certainly ran after the taking.
    bool surely_after(const KeyChange& change) const {
        return log_.is_exact() || change.sent >= taking_.at;
    }

    /// Whether the claim's client remembered a value that it had given back, or let expire, by
    /// then.
    bool had_no_key_left(const KeyChange& change, Cause cause) const {
        const bool remembered = claim_.basis == Basis::remembered && change.event < claim_.granted;
        const bool by_itself = change.client == claim_.client && cause != Cause::lost_data;
        return remembered && (by_itself || cause == Cause::expired_while_held);
    }

    std::optional<Cause> step(const KeyChange& change, bool last) {
        const bool own = hold_.is_own(change);
        if (!last && !own && !surely_after(change)) return std::nullopt;
        switch (change.effect.kind) {
            case Effect::none: break;
            case Effect::extended:
                if (last && hold_.lost_before(change)) return Cause::lost_data;
                if (last) return cause_of_one_token(log_, claim_.client, change.client);
                hold_.extended(change);
                break;
            case Effect::deleted: return deleted(change);
            case Effect::created:
                if (!own) return vanished(change);
                hold_.taken(change);
                break;
            case Effect::replaced:
                if (!own) return replaced(change, last);
                hold_.taken(change);
                break;
        }
        return std::nullopt;
    }

    std::optional<Cause> deleted(const KeyChange& change) const {
        if (hold_.lost_before(change)) return Cause::lost_data;
        // A renewal with a time to live of zero or less ends the lease itself.
        const bool by_renewal = hold_.is_own(change) && change.phase == Phase::background;
        if (by_renewal) return Cause::expired_while_held;
        if (const auto cause = cause_of_shown_token(log_, claim_, change)) return cause;
        if (change.phase != Phase::acquire) return Cause::foreign_delete;
        return judged_past(change).value_or(Cause::foreign_delete);
    }

    std::optional<Cause> replaced(const KeyChange& change, bool last) {
        // No grant wrote it, though its client may find it later and take it for its own.
        if (change.phase == Phase::background && !change.takes) return Cause::revived_key;
        if (last || change.takes || change.found) {
            if (const auto cause = judged_past(change)) return cause;
            const Duration early = log_.early_by(claim_);
            const bool cut_off = early > Duration::zero() && hold_.lease_past(change.at + early);
            if (cut_off) return Cause::expired_while_held;
            // A key other than the lock's own need not show who has the lock.
            const bool may_be_a_count = change.key != 0 && !taking_.has_argument(claim_.token);
            return may_be_a_count ? Cause::unexplained : Cause::overwritten;
        }
        hold_.overwritten(change);
        return std::nullopt;
    }

    /// Another client judged the key by the deadline in its value, and took it over.
    std::optional<Cause> judged_past(const KeyChange& change) const {
        // A lease that a client counts from sending does not end a key that has a time to live.
        const bool has_ttl = taking_.effect.ttl != Duration::zero();
        const bool expires = has_ttl || hold_.key_expires();
        const bool is_past = expires && !KeyLog::has_deadline_in_value(claim_)
                                 ? hold_.own_past(change.at)
                                 : hold_.lease_past(change.at) || hold_.own_past(change.at);
        if (is_past) return Cause::expired_while_held;
        if (hold_.lost_before(change)) return Cause::lost_data;
        // Only a deadline in the value can be misjudged.
        if (has_ttl)
            return hold_.is_overwritten() ? std::optional(Cause::overwritten) : std::nullopt;
        const bool promises = claim_.lease > Duration::zero();
        if (hold_.is_overwritten()) {
            return promises ? std::optional(Cause::foreign_renewal) : std::nullopt;
        }
        const bool wrong_clock = log_.struck(kWallClocks, taking_.client, change.event) ||
                                 log_.struck(kWallClocks, change.client, change.event) ||
                                 has_wrong_clock(change);
        return wrong_clock ? std::optional(Cause::clock) : std::nullopt;
    }

    /// Whether the server's clock was set since the key was written. A replica that takes over has
    /// its master's deadlines. Live, the key may be older than a fault that is noted ahead of it.
    bool has_wrong_clock(const KeyChange& change) const {
        if (log_.is_exact() && change.node == taking_.node) {
            return log_.fault(kServerClocks, taking_.node, taking_.key, taking_.event,
                              change.event) != nullptr;
        }
        const Instant since = change.node == taking_.node ? taking_.sent : Instant();
        return log_.fault_since(kServerClocks, taking_.node, taking_.key, since, change.event) !=
               nullptr;
    }

    /// Another client found no key, although no command had deleted it.
    Cause vanished(const KeyChange& change) const {
        if (hold_.lost_before(change)) return Cause::lost_data;
        if (hold_.key_past(change.at)) {
            if (hold_.own_past(change.at)) {
                // Its own command gave the key less time than its lease: a time of day was wrong.
                const bool wrong_clock = !hold_.lease_past(change.at) &&
                                         log_.struck(kWallClocks, taking_.client, change.event);
                return wrong_clock ? Cause::clock : Cause::expired_while_held;
            }
            return hold_.is_overwritten() ? Cause::overwritten : Cause::foreign_renewal;
        }
        if (has_wrong_clock(change)) return Cause::clock;
        // Live: the replica may have lagged.
        if (!log_.is_exact() && log_.failed_over(change.event)) return Cause::failover;
        const auto by = log_.perhaps_deleted(claim_, begin_, end_);
        if (by) {
            if (const auto cause = deleted(log_.changes()[*by])) return *cause;
        }
        if (hold_.is_overwritten()) return Cause::overwritten;
        // All our commands are known, and none removed the key: a stranger did, or the server.
        const bool nobody_of_ours =
            log_.is_live() && !log_.may_have_run(claim_.round, taking_.at, change.at);
        return nobody_of_ours ? Cause::lost_data : Cause::unexplained;
    }

    const KeyLog& log_;
    const Claim& claim_;
    const std::size_t begin_;
    const std::size_t end_;
    const KeyChange& taking_;
    Hold hold_;
};

}  // namespace

Cause cause_along(const KeyLog& log, const Claim& claim, std::size_t begin, std::size_t end) {
    return Walk(log, claim, begin, end).cause();
}

}  // namespace locklab
