#include "harness/check/cause.h"

#include <algorithm>
#include <optional>

#include "harness/check/crowd_cause.h"
#include "harness/check/hold.h"
#include "harness/check/object_cause.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// How many commands away a command may stand from where it belongs in a live history.
constexpr std::size_t kNear = 64;

/// Follows the key from the command that took it for one grant to that which took it for
/// another, up to the command that ended the first claim.
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
            if (!log_.shows(log_.changes()[end_].node, change)) continue;
            const std::optional<Cause> cause = step(change, i == end_);
            if (!cause) continue;
            const bool expired = cause == Cause::expired_while_held;
            if (expired && hold_.is_told_late(change.at)) return Cause::late_reply;
            if (expired && log_.went_elsewhere(claim_, begin_, i)) return Cause::failover;
            return *cause;
        }
        return Cause::unexplained;
    }

private:
    /// Whether the change, where it stands before the end, surely ran after the taking.
    bool surely_after(const KeyChange& change) const {
        return log_.is_exact() || change.sent >= taking_.at;
    }

    std::optional<Cause> step(const KeyChange& change, bool last) {
        const bool own = hold_.is_own(change);
        if (!last && !own && !surely_after(change)) return std::nullopt;
        switch (change.effect.kind) {
            case Effect::none: break;
            case Effect::extended:
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
        // A renewal that gives no time ends the lease itself.
        const bool by_renewal = hold_.is_own(change) && change.phase == Phase::background;
        if (by_renewal) return Cause::expired_while_held;
        const bool same_token = change.has_argument(claim_.token);
        if (same_token) return cause_of_one_token(log_, claim_.client, change.client);
        if (change.phase != Phase::acquire) return Cause::foreign_delete;
        return judged_past(change).value_or(Cause::foreign_delete);
    }

    std::optional<Cause> replaced(const KeyChange& change, bool last) {
        if (last || change.takes) {
            if (const auto cause = judged_past(change)) return cause;
            const Duration early = log_.early_by(claim_);
            const bool cut_off = early > Duration::zero() && hold_.lease_past(change.at + early);
            return cut_off ? Cause::expired_while_held : Cause::overwritten;
        }
        if (change.phase == Phase::background) return Cause::revived_key;
        hold_.overwritten(change);
        return std::nullopt;
    }

    /// Another client judged the key by the deadline in its value, and took it over.
    std::optional<Cause> judged_past(const KeyChange& change) const {
        if (hold_.lease_past(change.at) || hold_.own_past(change.at)) {
            return Cause::expired_while_held;
        }
        if (hold_.lost_before(change)) return Cause::lost_data;
        // Only a deadline that stands in the value can be misjudged.
        const bool has_ttl = taking_.effect.ttl != Duration::zero();
        if (has_ttl)
            return hold_.is_overwritten() ? std::optional(Cause::overwritten) : std::nullopt;
        const bool promises = claim_.lease > Duration::zero();
        if (hold_.is_overwritten()) {
            return promises ? std::optional(Cause::foreign_renewal) : std::nullopt;
        }
        const bool wrong_clock = log_.struck(kWallClocks, taking_.client, change.event) ||
                                 log_.struck(kWallClocks, change.client, change.event);
        return wrong_clock ? std::optional(Cause::clock) : std::nullopt;
    }

    /// Another found no key, and nobody had deleted it.
    Cause vanished(const KeyChange& change) const {
        if (hold_.lost_before(change)) return Cause::lost_data;
        if (hold_.key_past(change.at)) {
            if (hold_.own_past(change.at)) {
                // Its own command gave the key less time than its lease: a time of day was wrong.
                const bool wrong_clock = !hold_.lease_past(change.at) &&
                                         log_.struck(kWallClocks, taking_.client, change.event);
                return wrong_clock ? Cause::clock : Cause::expired_while_held;
            }
            return hold_.ends_overwritten() ? Cause::overwritten : Cause::foreign_renewal;
        }
        if (log_.fault(kServerClocks, taking_.node, taking_.event, change.event)) {
            return Cause::clock;
        }
        // Live: the replica may have lagged.
        if (!log_.is_exact() && log_.failed_over(change.event)) return Cause::failover;
        if (const auto cause = perhaps_deleted(change)) return *cause;
        if (hold_.is_overwritten()) return Cause::overwritten;
        // Every command of ours is told, and none took the key: a stranger did, or the server.
        const bool nobody_of_ours =
            log_.is_live() && !log_.may_have_run(claim_.round, taking_.at, change.at);
        return nobody_of_ours ? Cause::lost_data : Cause::unexplained;
    }

    /// Live: a delete whose reply stands elsewhere in the log, and that may have run in between.
    std::optional<Cause> perhaps_deleted(const KeyChange& ended) const {
        if (log_.is_exact()) return std::nullopt;
        const auto& changes = log_.changes();
        const std::size_t first = begin_ - std::min(begin_, kNear);
        const std::size_t past = std::min(end_ + kNear, changes.size());
        for (std::size_t i = first; i < past; ++i) {
            const KeyChange& change = changes[i];
            const bool in_between = log_.shows(ended.node, change) &&
                                    change.at >= log_.earliest(changes[begin_]) &&
                                    log_.earliest(change) <= ended.at;
            if (!in_between || hold_.is_own(change)) continue;
            if (change.effect.kind != Effect::deleted || log_.frees_own(i)) continue;
            return deleted(change);
        }
        return std::nullopt;
    }

    const KeyLog& log_;
    const Claim& claim_;
    const std::size_t begin_;
    const std::size_t end_;
    const KeyChange& taking_;
    Hold hold_;
};

}  // namespace

Cause cause_of(const KeyLog& log, const Overlap& overlap) {
    const Claim* first = &log.claim_of(overlap.earlier);
    const Claim* second = &log.claim_of(overlap.later);
    if (log.is_shared()) return cause_of_crowd(log, *first, *second);
    if (!first->taking || !second->taking) return cause_without_key(log, *first, *second);
    // A client may take the key first and be told of it last.
    if (*second->taking < *first->taking) std::swap(first, second);
    const auto met = log.last_meeting(*first, *second);
    if (met) return Walk(log, *first, met->first, met->second).cause();
    return log.failed_over(overlap.later.begin) ? Cause::failover : Cause::other_servers;
}

}  // namespace locklab
