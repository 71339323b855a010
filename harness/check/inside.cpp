#include "harness/check/inside.h"

#include <algorithm>
#include <optional>

#include "harness/check/per_client.h"

namespace locklab {

namespace {

/// Released counts for foreign histories, which may not tell when release was called.
bool ends_stay(const Event& event) {
    return std::holds_alternative<event::Leaving>(event.detail) ||
           std::holds_alternative<event::Lost>(event.detail) ||
           std::holds_alternative<event::Released>(event.detail) || is_crash(event);
}

}  // namespace

bool is_crash(const Event& event) {
    const auto* fault = std::get_if<event::Fault>(&event.detail);
    return fault != nullptr && fault->hazard == Hazard::crash;
}

Instant end_of(const History& history) {
    if (history.events.empty()) return history.end;
    return std::max(history.end, history.events.back().at);
}

std::vector<Inside> stays_inside(const History& history) {
    std::vector<Inside> stays;
    PerClient<std::optional<std::size_t>> open;
    const auto leave = [&](ClientId client, Instant at, std::size_t place) {
        std::optional<std::size_t>& stay = open[client];
        if (!stay.has_value()) return;
        stays[*stay].until = at;
        stays[*stay].end = place;
        stay.reset();
    };
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        const Event& event = history.events[i];
        if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
            leave(event.client, event.at, i);
            open[event.client] = stays.size();
            stays.push_back({granted->grant, event.client, event.at, end_of(history), i,
                             history.events.size()});
        } else if (ends_stay(event)) {
            leave(event.client, event.at, i);
        }
    }
    return stays;
}

}  // namespace locklab
