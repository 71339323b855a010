#include "harness/check/cause.h"

#include <algorithm>
#include <optional>

namespace locklab {

namespace {

using Kind = KeyEffect::Kind;

constexpr HazardSet kLosesData{Hazard::restart, Hazard::restart_snapshot, Hazard::evict};
constexpr HazardSet kClientClock{Hazard::clock_offset, Hazard::clock_jump};

/// Redis counts deadlines in whole milliseconds.
constexpr Duration kRedisTick = std::chrono::milliseconds(1);
/// A lock that writes deadlines in whole seconds is off by up to one.
constexpr Duration kDeadlineTick = std::chrono::seconds(1);
/// How many commands away a command may stand from where it belongs in a live history.
constexpr std::size_t kNear = 64;

/// A deadline; none: never.
using Deadline = std::optional<Instant>;

bool is_past(const Deadline& deadline, Instant now) {
    return deadline.has_value() && now + kRedisTick >= *deadline;
}

/// Follows the key from the command that took it for one grant to that which took it for
/// another, up to the command that ended the first claim.
class Walk {
public:
    Walk(const KeyLog& log, const Claim& claim, std::size_t end)
        : log_(log), claim_(claim), begin_(*claim.taking), end_(end) {
        take(log.changes()[begin_]);
    }

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
    bool own(const KeyChange& change) const { return change.round == claim_.round; }
    Instant at(const KeyChange& change) const { return log_.event_of(change).at; }

    /// The claim is made, or made anew.
    void take(const KeyChange& change) {
        const KeyEffect& effect = log_.executed(change).effect;
        own_deadline_ = deadline_after(change, effect);
        deadline_ = own_deadline_;
        // What a client writes into the key as its deadline it reckons as it sends.
        const Duration lease = log_.lease_of(claim_);
        lease_end_ =
            lease > Duration::zero() ? Deadline(log_.executed(change).sent + lease) : std::nullopt;
        seen_ = change.event;
    }

    Deadline deadline_after(const KeyChange& change, const KeyEffect& effect) const {
        if (effect.ttl == Duration::zero()) return std::nullopt;
        return log_.earliest(change) + effect.ttl;
    }

    /// Whether the change, where it stands before the end, surely ran after the taking.
    bool surely_after(const KeyChange& change) const {
        return log_.is_exact() || log_.executed(change).sent >= at(log_.changes()[begin_]);
    }

    std::optional<Cause> step(const KeyChange& change, bool last) {
        const KeyEffect& effect = log_.executed(change).effect;
        if (!last && !own(change) && !surely_after(change)) return std::nullopt;
        switch (effect.kind) {
            case Kind::none: return std::nullopt;
            case Kind::extended:
                if (last) return Cause::token_collision;
                deadline_ = deadline_after(change, effect);
                if (own(change)) own_deadline_ = lease_end_ = deadline_;
                seen_ = change.event;
                return std::nullopt;
            case Kind::deleted: return deleted(change);
            case Kind::created:
                if (!own(change)) return vanished(change);
                take(change);
                return std::nullopt;
            case Kind::replaced: return replaced(change, last);
        }
        return std::nullopt;
    }

    std::optional<Cause> deleted(const KeyChange& change) const {
        if (own(change) && change.phase == Phase::release) return std::nullopt;
        if (lost_data(change)) return Cause::lost_data;
        if (compares_our_token(change)) return Cause::token_collision;
        if (change.phase != Phase::acquire) return Cause::foreign_delete;
        return judged_past(change).value_or(Cause::foreign_delete);
    }

    std::optional<Cause> replaced(const KeyChange& change, bool last) {
        if (own(change)) {
            take(change);
            return std::nullopt;
        }
        if (last || change.takes) {
            if (const auto cause = judged_past(change)) return cause;
            const bool within_tick = lease_end_ && at(change) + kDeadlineTick >= *lease_end_;
            return within_tick ? Cause::expired_while_held : Cause::unexplained;
        }
        if (change.phase == Phase::background) return Cause::revived_key;
        overwritten_ = true;
        deadline_ = deadline_after(change, log_.executed(change).effect);
        seen_ = change.event;
        return std::nullopt;
    }

    /// Another client judged the key by the deadline in its value, and took it over.
    std::optional<Cause> judged_past(const KeyChange& change) const {
        if (is_past(lease_end_, at(change)) || is_past(own_deadline_, at(change))) {
            return Cause::expired_while_held;
        }
        if (lost_data(change)) return Cause::lost_data;
        if (overwritten_) return Cause::foreign_renewal;
        const ClientId holder = log_.changes()[begin_].client;
        const bool wrong_clock = log_.struck(kClientClock, holder, change.event) ||
                                 log_.struck(kClientClock, change.client, change.event);
        return wrong_clock ? std::optional(Cause::clock) : std::nullopt;
    }

    /// Another found no key, and nobody had deleted it.
    Cause vanished(const KeyChange& change) const {
        if (lost_data(change)) return Cause::lost_data;
        if (is_past(deadline_, at(change))) {
            return is_past(own_deadline_, at(change)) ? Cause::expired_while_held
                                                      : Cause::foreign_renewal;
        }
        const std::size_t taken = log_.changes()[begin_].event;
        if (log_.fault({Hazard::server_clock_jump}, taken, change.event)) return Cause::clock;
        return perhaps_deleted(change).value_or(Cause::unexplained);
    }

    /// Whether the server lost the key after it was last seen, with time left.
    bool lost_data(const KeyChange& change) const {
        const Event* fault = log_.fault(kLosesData, seen_, change.event);
        return fault != nullptr && !is_past(deadline_, fault->at);
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
            if (!in_between || own(change)) continue;
            if (log_.executed(change).effect.kind == Kind::deleted) return deleted(change);
        }
        return std::nullopt;
    }

    const KeyLog& log_;
    const Claim& claim_;
    const std::size_t begin_;
    const std::size_t end_;
    Deadline deadline_;      ///< the key's own
    Deadline own_deadline_;  ///< as the claim's own commands set it
    Deadline lease_end_;     ///< as the client reckons it
    std::size_t seen_ = 0;   ///< the key was there at this place in the history
    bool overwritten_ = false;
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
