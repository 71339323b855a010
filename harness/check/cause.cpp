#include "harness/check/cause.h"

#include <algorithm>
#include <optional>

#include "harness/check/hold.h"

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;

constexpr HazardSet kClientClock{Hazard::clock_offset, Hazard::clock_jump};
/// A lock that counts in whole seconds may write a deadline that is early by almost one.
constexpr Duration kWholeSecond = std::chrono::seconds(1);
/// How many commands away a command may stand from where it belongs in a live history.
constexpr std::size_t kNear = 64;

/// Follows the key from the command that took it for one grant to that which took it for
/// another, up to the command that ended the first claim.
class Walk {
public:
    Walk(const KeyLog& log, const Claim& claim, std::size_t end)
        : log_(log), claim_(claim), begin_(*claim.taking), end_(end), hold_(log, claim) {}

    Cause cause() {
        const KeyChange& taking = log_.changes()[begin_];
        for (std::size_t i = begin_ + 1; i <= end_; ++i) {
            const KeyChange& change = log_.changes()[i];
            if (log_.executed(change).node != log_.executed(taking).node) continue;
            if (const std::optional<Cause> cause = step(change, i == end_)) return *cause;
        }
        return Cause::unexplained;
    }

private:
    Instant at(const KeyChange& change) const { return log_.event_of(change).at; }

    /// Whether the change, where it stands before the end, surely ran after the taking.
    bool surely_after(const KeyChange& change) const {
        return log_.is_exact() || log_.executed(change).sent >= at(log_.changes()[begin_]);
    }

    std::optional<Cause> step(const KeyChange& change, bool last) {
        const bool own = hold_.is_own(change);
        if (!last && !own && !surely_after(change)) return std::nullopt;
        switch (log_.executed(change).effect.kind) {
            case Kind::none: break;
            case Kind::extended:
                if (last) return Cause::token_collision;
                hold_.extended(change);
                break;
            case Kind::deleted: return deleted(change);
            case Kind::created:
                if (!own) return vanished(change);
                hold_.taken(change);
                break;
            case Kind::replaced:
                if (!own) return replaced(change, last);
                hold_.taken(change);
                break;
        }
        return std::nullopt;
    }

    std::optional<Cause> deleted(const KeyChange& change) const {
        if (hold_.lost_before(change)) return Cause::lost_data;
        if (compares_our_token(change)) return Cause::token_collision;
        if (change.phase != Phase::acquire) return Cause::foreign_delete;
        return judged_past(change).value_or(Cause::foreign_delete);
    }

    std::optional<Cause> replaced(const KeyChange& change, bool last) {
        if (last || change.takes) {
            if (const auto cause = judged_past(change)) return cause;
            const bool in_seconds = log_.lease_of(claim_) % kWholeSecond == Duration::zero();
            const bool cut_off = in_seconds && hold_.lease_past(at(change) + kWholeSecond);
            return cut_off ? Cause::expired_while_held : Cause::unexplained;
        }
        if (change.phase == Phase::background) return Cause::revived_key;
        hold_.overwritten(change);
        return std::nullopt;
    }

    /// Another client judged the key by the deadline in its value, and took it over.
    std::optional<Cause> judged_past(const KeyChange& change) const {
        if (hold_.lease_past(at(change)) || hold_.own_past(at(change))) {
            return Cause::expired_while_held;
        }
        if (hold_.lost_before(change)) return Cause::lost_data;
        if (hold_.is_overwritten()) return Cause::foreign_renewal;
        const ClientId holder = log_.changes()[begin_].client;
        const bool wrong_clock = log_.struck(kClientClock, holder, change.event) ||
                                 log_.struck(kClientClock, change.client, change.event);
        return wrong_clock ? std::optional(Cause::clock) : std::nullopt;
    }

    /// Another found no key, and nobody had deleted it.
    Cause vanished(const KeyChange& change) const {
        if (hold_.lost_before(change)) return Cause::lost_data;
        if (hold_.key_past(at(change))) {
            return hold_.own_past(at(change)) ? Cause::expired_while_held : Cause::foreign_renewal;
        }
        const std::size_t taken = log_.changes()[begin_].event;
        if (log_.fault({Hazard::server_clock_jump}, taken, change.event)) return Cause::clock;
        return perhaps_deleted(change).value_or(Cause::unexplained);
    }

    bool compares_our_token(const KeyChange& change) const {
        const Command& command = log_.executed(change).command;
        const std::string_view token = log_.token_of(claim_).text;
        if (command.script() == nullptr || token.empty()) return false;
        for (std::size_t i = 1; i < command.size(); ++i) {
            if (command[i] == token) return true;
        }
        return false;
    }

    /// Live: a delete whose reply stands elsewhere in the log, and that may have run in between.
    std::optional<Cause> perhaps_deleted(const KeyChange& ended) const {
        if (log_.is_exact()) return std::nullopt;
        const auto& changes = log_.changes();
        const std::size_t first = begin_ - std::min(begin_, kNear);
        const std::size_t past = std::min(end_ + kNear, changes.size());
        for (std::size_t i = first; i < past; ++i) {
            const KeyChange& change = changes[i];
            const bool in_between =
                at(change) >= log_.earliest(changes[begin_]) && log_.earliest(change) <= at(ended);
            if (!in_between || hold_.is_own(change)) continue;
            if (log_.executed(change).effect.kind == Kind::deleted) return deleted(change);
        }
        return std::nullopt;
    }

    const KeyLog& log_;
    const Claim& claim_;
    const std::size_t begin_;
    const std::size_t end_;
    Hold hold_;
};

}  // namespace

Cause cause_of(const KeyLog& log, const Overlap& overlap) {
    const Claim* first = &log.claim_of(overlap.earlier);
    const Claim* second = &log.claim_of(overlap.later);
    if (!first->taking.has_value() || !second->taking.has_value()) {
        return log.tells_commands() ? Cause::no_key : Cause::unexplained;
    }
    // A client may take the key first and be told of it last.
    if (*second->taking < *first->taking) std::swap(first, second);
    return Walk(log, *first, *second->taking).cause();
}

}  // namespace locklab
