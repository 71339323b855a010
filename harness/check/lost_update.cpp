#include "harness/check/lost_update.h"

#include <optional>

namespace locklab {

std::vector<LostUpdate> lost_updates(const History& history) {
    std::vector<LostUpdate> found;
    std::uint64_t last_writer = 0;
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        const auto* wrote = std::get_if<event::Wrote>(&history.events[i].detail);
        if (wrote == nullptr) continue;
        if (wrote->previous != wrote->base) found.push_back({i, wrote->grant, last_writer});
        last_writer = wrote->grant;
    }
    return found;
}

WriteCount count_writes(const History& history) {
    WriteCount count;
    std::optional<std::uint64_t> version;
    for (auto event = history.events.rbegin(); event != history.events.rend(); ++event) {
        const auto* wrote = std::get_if<event::Wrote>(&event->detail);
        if (wrote == nullptr) continue;
        ++count.writes;
        const bool remains = !version || wrote->version == *version;
        if (remains) version = wrote->base;
        count.erased += remains ? 0 : 1;
    }
    return count;
}

}  // namespace locklab
