#include "harness/check/inside.h"

#include <algorithm>
#include <utility>

namespace locklab {

bool is_crash(const Event& event) {
    const auto* fault = std::get_if<event::Fault>(&event.detail);
    return fault != nullptr && fault->hazard == Hazard::crash;
}

Instant end_of(const History& history) {
    if (history.events.empty()) return history.end;
    return std::max(history.end, history.events.back().at);
}

void Stays::leave(const Event& event, std::size_t place, Inside::Way way) {
    std::optional<std::size_t>& open = open_[event.client];
    if (!open.has_value()) return;
    Inside& stay = stays_[*std::exchange(open, std::nullopt)];
    stay.until = event.at;
    stay.end = place;
    stay.way = way;
}

/// Released counts for foreign histories, which may not tell when release was called.
void Stays::see(const Event& event, std::size_t place) {
    if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
        leave(event, place, Inside::Way::granted_again);
        open_[event.client] = stays_.size();
        stays_.push_back(
            {granted->grant, event.client, granted->mode, event.at, event.at, place, place});
    } else if (std::holds_alternative<event::Leaving>(event.detail) ||
               std::holds_alternative<event::Released>(event.detail)) {
        leave(event, place, Inside::Way::left);
    } else if (std::holds_alternative<event::Lost>(event.detail)) {
        leave(event, place, Inside::Way::told);
    } else if (is_crash(event)) {
        leave(event, place, Inside::Way::crashed);
    }
}

std::vector<Inside> Stays::end(Instant at, std::size_t places) {
    for (const std::optional<std::size_t>& open : open_.values()) {
        if (!open.has_value()) continue;
        stays_[*open].until = at;
        stays_[*open].end = places;
    }
    return std::move(stays_);
}

std::vector<Inside> stays_inside(const History& history) {
    Stays stays;
    for (std::size_t i = 0; i < history.events.size(); ++i) stays.see(history.events[i], i);
    return stays.end(end_of(history), history.events.size());
}

}  // namespace locklab
