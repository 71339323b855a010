#include "harness/view/timeline_notes.h"

#include "harness/core/printable.h"
#include "harness/view/timeline_words.h"

namespace locklab {

namespace {

std::string lasting(Duration amount) {
    return amount == Duration::zero() ? "" : " for " + spoken(amount);
}

std::string jumped(Duration amount) {
    return (amount < Duration::zero() ? " back by " : " ahead by ") + spoken(amount);
}

}  // namespace

bool strikes_server(Hazard hazard) { return row_of(hazard).target == FaultTarget::node; }

std::string fault_text(const event::Fault& fault, bool inside, bool several_servers) {
    const std::string redis =
        several_servers ? "Redis " + std::to_string(fault.node.value + 1) : "Redis";
    switch (fault.hazard) {
        case Hazard::contention: return "meets others";
        case Hazard::slow_job: return "has a slow job: it takes " + spoken(fault.amount);
        case Hazard::crash: return inside ? "crashes while it is inside" : "crashes";
        case Hazard::pause: return "pauses" + lasting(fault.amount);
        case Hazard::stall: return "'s watchdog stalls" + lasting(fault.amount);
        case Hazard::lose_request: return "'s request is lost";
        case Hazard::lose_reply: return "'s reply is lost";
        case Hazard::delay_request: return "'s request is held up" + lasting(fault.amount);
        case Hazard::delay_reply: return "'s reply is held up" + lasting(fault.amount);
        case Hazard::retry: return "'s reply is lost; its library sends the command again";
        case Hazard::clock_offset:
            return "'s clock is " + spoken(fault.amount) +
                   (fault.amount < Duration::zero() ? " behind" : " ahead");
        case Hazard::clock_jump: return "'s clock jumps" + jumped(fault.amount);
        case Hazard::server_clock_jump:
            return "the clock of " + redis + " jumps" + jumped(fault.amount);
        case Hazard::restart:
            return redis + (fault.amount == Duration::zero()
                                ? " restarts, and comes back empty"
                                : " goes down, and comes back empty after " + spoken(fault.amount));
        case Hazard::restart_snapshot:
            return redis + " restarts, with its data of " + spoken(fault.amount) + " ago";
        case Hazard::evict:
            return (fault.key.empty() ? "the lock's key" : "the key " + printable(fault.key)) +
                   (several_servers ? " at " + redis : "") + " is evicted, or deleted by hand";
        case Hazard::flush: return redis + " loses all its keys (FLUSHALL)";
        case Hazard::failover:
            return redis + " gets nothing more from its master, and takes over" +
                   (fault.amount == Duration::zero() ? "" : " after " + spoken(fault.amount));
        case Hazard::freeze:
            return redis + " hangs" + lasting(fault.amount) + ", and goes on with its data";
        case Hazard::error_reply:
            return "'s command does not run: its answer is the error " +
                   std::string(fault.error ? row_of(*fault.error).code : "of a fault");
        case Hazard::reset:
            return std::string("'s connection is reset ") +
                   (fault.ran ? "after its command ran" : "before its command runs");
        case Hazard::partition:
            return "and " + redis + " are cut off from each other" + lasting(fault.amount);
        case Hazard::cancel: return "'s caller cancels its try";
    }
    return "?";
}

std::string released_text(Release outcome) {
    switch (outcome) {
        case Release::yes: return "released";
        case Release::not_ours: return "nothing released: gone, or not its own";
        case Release::error: return "an error: released or not, it cannot know";
        case Release::unknown: break;
    }
    return "released or not, it cannot know";
}

std::string violation_text(const Violation& violation, const std::string& who,
                           const std::optional<std::string>& other, std::uint32_t locks) {
    switch (violation.kind) {
        case Violation::Kind::overlap: {
            if (violation.sharing > 0) {
                return who + " is one of " + std::to_string(violation.sharing) +
                       " inside at once, which is too many" + lasting(violation.duration);
            }
            const std::string both = other.value_or("somebody") + " and " + who;
            const bool instant = violation.duration == Duration::zero();
            const std::string what =
                locks == 1 ? " are inside" : " have " + name_of(violation.lock);
            return both + what + " at once" +
                   (instant ? ", for an instant" : lasting(violation.duration));
        }
        case Violation::Kind::lost_update:
            if (!other) return who + " overwrites an update that it has not read";
            return who + " overwrites an update of " + *other + " that it has not read";
        case Violation::Kind::fence_inversion: break;
    }
    if (violation.token != 0) {
        return who + " has token " + std::to_string(violation.token) + ", and " +
               other.value_or("another") + " had " + std::to_string(violation.other_token) +
               " before";
    }
    return who + " writes after " + other.value_or("another") + ", whose grant is newer";
}

std::string cause_text(Cause cause) {
    return std::string(name_of(cause)) + ": " + std::string(row_of(cause).meaning);
}

}  // namespace locklab
