#include "harness/check/fence.h"

#include <algorithm>

namespace locklab {

void FenceWatch::see(const Event& event, std::size_t place) {
    const auto* wrote = std::get_if<event::Wrote>(&event.detail);
    if (wrote == nullptr) return;
    if (wrote->grant < highest_) {
        found_.push_back({place, wrote->grant, highest_, event.at, event.client});
    }
    highest_ = std::max(highest_, wrote->grant);
}

std::vector<FenceInversion> fence_inversions(const History& history) {
    FenceWatch watch;
    for (std::size_t i = 0; i < history.events.size(); ++i) watch.see(history.events[i], i);
    return watch.found();
}

}  // namespace locklab
