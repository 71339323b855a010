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

bool is_about(const Event& event, ResourceId lock) {
    return event.resource == lock || std::holds_alternative<event::Fault>(event.detail) ||
           std::holds_alternative<event::Finished>(event.detail) ||
           std::holds_alternative<event::Learnt>(event.detail);
}

void Stays::leave(const Event& event, ResourceId lock, std::size_t place, Inside::Way way) {
    std::optional<std::size_t>& open = open_[event.client][lock.value];
    if (!open.has_value()) return;
    Inside& stay = stays_[*std::exchange(open, std::nullopt)];
    stay.until = event.at;
    stay.end = place;
    stay.way = way;
}

/// Released counts for foreign histories, which may not tell when release was called: see
/// end_at_release().
void Stays::see(const Event& event, std::size_t place) {
    if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
        leave(event, event.resource, place, Inside::Way::granted_again);
        open_[event.client][event.resource.value] = stays_.size();
        stays_.push_back(
            {granted->grant, event.client, granted->mode, event.at, event.at, place, place});
    } else if (std::holds_alternative<event::Leaving>(event.detail)) {
        leave(event, event.resource, place, Inside::Way::left);
    } else if (std::holds_alternative<event::Released>(event.detail)) {
        leave(event, event.resource, place, Inside::Way::released);
    } else if (std::holds_alternative<event::Lost>(event.detail)) {
        leave(event, event.resource, place, Inside::Way::told);
    } else if (is_crash(event)) {
        for (std::uint32_t i = 0; i < ResourceId::kMost; ++i) {
            leave(event, ResourceId{i}, place, Inside::Way::crashed);
        }
    }
}

std::vector<Inside> Stays::end(Instant at, std::size_t places) {
    for (const auto& locks : open_.values()) {
        for (const std::optional<std::size_t>& open : locks) {
            if (!open.has_value()) continue;
            stays_[*open].until = at;
            stays_[*open].end = places;
        }
    }
    return std::move(stays_);
}

std::vector<Inside> stays_inside(const History& history) {
    Stays stays;
    for (std::size_t i = 0; i < history.events.size(); ++i) stays.see(history.events[i], i);
    return stays.end(end_of(history), history.events.size());
}

}  // namespace locklab
