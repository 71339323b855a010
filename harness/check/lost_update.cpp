#include "harness/check/lost_update.h"

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

}  // namespace locklab
