#include "harness/check/fence.h"

#include <algorithm>

namespace locklab {

std::vector<FenceInversion> fence_inversions(const History& history) {
    std::vector<FenceInversion> found;
    std::uint64_t highest = 0;
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        const auto* wrote = std::get_if<event::Wrote>(&history.events[i].detail);
        if (wrote == nullptr) continue;
        if (wrote->grant < highest) found.push_back({i, wrote->grant, highest});
        highest = std::max(highest, wrote->grant);
    }
    return found;
}

}  // namespace locklab
