#include "harness/foreign/hangs.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "harness/core/counted.h"
#include "harness/core/duration_text.h"

namespace locklab {

namespace {

/// Events of one instant are told a microsecond apart: so near its end a hang may be over.
constexpr Duration kAtOnce = std::chrono::milliseconds(1);

/// A restart ends a hang before its time.
Instant end_of(const Event& hang, const event::Fault& fault, const History& history) {
    const Instant planned = hang.at + fault.amount;
    for (const Event& event : history.events) {
        const auto* other = std::get_if<event::Fault>(&event.detail);
        const bool ends_it = other != nullptr && restarts_server(other->hazard) &&
                             other->node == fault.node && event.at > hang.at;
        if (ends_it) return std::min(event.at, planned);
    }
    return planned;
}

}  // namespace

void Hangs::add(const Hangs& other) {
    count += other.count;
    gone_on += other.gone_on;
    longest_wait = std::max(longest_wait, other.longest_wait);
}

/// A client that was inside when the hang began may hold the lock for most of a lease. So only a
/// grant in the second half shows that the lock works without that server.
Hangs hangs_in(const History& history) {
    Hangs found;
    for (const Event& event : history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr || !hangs(fault->hazard)) continue;
        ++found.count;
        const Instant end = end_of(event, *fault, history);
        const Instant half = event.at + (end - event.at) / 2;
        std::optional<Instant> next;
        bool goes_on = false;
        for (const Event& other : history.events) {
            if (!std::holds_alternative<event::Granted>(other.detail) || other.at <= event.at) {
                continue;
            }
            if (!next) next = other.at;
            goes_on |= other.at >= half && other.at < end - kAtOnce;
        }
        found.gone_on += goes_on ? 1 : 0;
        found.longest_wait = std::max(found.longest_wait, next.value_or(history.end) - event.at);
    }
    return found;
}

std::string to_text(const Hangs& hangs) {
    if (hangs.count == 0) return {};
    return "a server hung " + counted(hangs.count, "time") + ", and in " +
           std::to_string(hangs.gone_on) +
           " of them the lock was granted again in the second half of the hang; the longest time "
           "from a hang's start to the next grant was " +
           to_string(hangs.longest_wait);
}

}  // namespace locklab
