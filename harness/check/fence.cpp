#include "harness/check/fence.h"

#include <algorithm>

namespace locklab {

/// Equal tokens do not tell which grant is older, so the order of the grants does.
bool FenceWatch::Writer::is_older_than(const Writer& other) const {
    const bool told = fence != 0 && other.fence != 0 && fence != other.fence;
    return told ? fence < other.fence : grant < other.grant;
}

void FenceWatch::see(const Event& event, std::size_t place) {
    if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
        if (granted->fence != 0) fences_[granted->grant] = granted->fence;
        return;
    }
    const auto* wrote = std::get_if<event::Wrote>(&event.detail);
    if (wrote == nullptr) return;
    const auto fence = fences_.find(wrote->grant);
    const Writer writer{wrote->grant, fence == fences_.end() ? 0 : fence->second};
    if (writer.is_older_than(newest_)) {
        found_.push_back({place, writer.grant, newest_.grant, event.at, event.client});
    } else {
        newest_ = writer;
    }
}

std::vector<FenceInversion> fence_inversions(const History& history) {
    FenceWatch watch;
    for (std::size_t i = 0; i < history.events.size(); ++i) watch.see(history.events[i], i);
    return watch.found();
}

}  // namespace locklab
