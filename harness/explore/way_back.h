// The run that led to a state kept by a search.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "harness/explore/level.h"
#include "harness/explore/path.h"

namespace locklab {

/// The end of a run: a kept state, and steps after it.
struct EndOfWay {
    StateId last = kNoState;
    const std::vector<Step>& more;
};

/// Each stored step names client and server as in the kept state, so their numbers are tracked from
/// the start on. `origin_of(id)`: how the search came to a state. `last_is`: the original numbers
/// of the clients of the last state.
template <std::size_t kWords, class OriginOf>
Path way_back(OriginOf origin_of, std::span<const Waiting<kWords>> starts, const Packing& packing,
              Rules& rules, const EndOfWay& end, Permutation* last_is = nullptr) {
    std::vector<Step> steps(end.more.rbegin(), end.more.rend());
    StateId id = end.last;
    for (auto origin = origin_of(id); origin.parent != kNoState; origin = origin_of(id)) {
        steps.push_back(origin.step);
        id = origin.parent;
    }
    const auto start = std::find_if(starts.begin(), starts.end(),
                                    [id](const auto& first) { return first.id == id; });
    State state = packing.unpacked(start->state);
    Path path = path_from(rules, state);
    Renaming is_now;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        path.steps.push_back(rules.renamed(state, *step, is_now));
        state = rules.after(state, *step);
        if (rules.reduces()) is_now = is_now.then(rules.reduce(state));
    }
    if (last_is != nullptr) *last_is = is_now.clients;
    return path;
}

}  // namespace locklab
