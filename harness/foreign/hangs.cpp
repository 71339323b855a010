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

}  // namespace

void Hangs::add(const Hangs& other) {
    count += other.count;
    gone_on += other.gone_on;
    longest_wait = std::max(longest_wait, other.longest_wait);
}

/// A client that was inside may hold it for most of a lease: who goes on does so in the second
/// half.
Hangs hangs_in(const History& history) {
    Hangs found;
    for (const Event& event : history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault == nullptr || !hangs(fault->hazard)) continue;
        ++found.count;
        const Instant half = event.at + fault->amount / 2;
        const Instant end = event.at + fault->amount - kAtOnce;
        std::optional<Instant> next;
        bool goes_on = false;
        for (const Event& other : history.events) {
            if (!std::holds_alternative<event::Granted>(other.detail) || other.at <= event.at) {
                continue;
            }
            if (!next) next = other.at;
            goes_on |= other.at >= half && other.at < end;
        }
        found.gone_on += goes_on ? 1 : 0;
        if (next) found.longest_wait = std::max(found.longest_wait, *next - event.at);
    }
    return found;
}

std::string to_text(const Hangs& hangs) {
    if (hangs.count == 0) return {};
    return "a server hung " + counted(hangs.count, "time") + ", and in " +
           std::to_string(hangs.gone_on) +
           " of them the lock was granted on in the second half; the longest time from a hang's "
           "beginning to the next grant was " +
           to_string(hangs.longest_wait) + "\n";
}

}  // namespace locklab
