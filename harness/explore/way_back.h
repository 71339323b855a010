// The run that led to a state kept by a search.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "harness/explore/level.h"
#include "harness/explore/path.h"
#include "harness/explore/step_table.h"

namespace locklab {

/// The end of a run: a kept state, and steps after it.
struct EndOfWay {
    StateId last = kNoState;
    const std::vector<Step>& more;
};

/// Each stored step has its client's number in the kept state, so client numbers are tracked from
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
    Permutation who = kIdentity;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        path.steps.push_back(*step);
        if (is_of_client(step->kind)) path.steps.back().client = who[step->client];
        const bool evicts = step->kind == Step::Kind::evict;
        if (evicts) path.steps.back().ms = rules.key_of_renamed(step->ms, who);
        state = rules.after(state, *step);
        if (!rules.is_symmetric()) continue;
        const Permutation from = rules.reduce(state);
        const Permutation before = who;
        for (std::size_t i = 0; i < who.size(); ++i) who[i] = before[from[i]];
    }
    if (last_is != nullptr) *last_is = who;
    return path;
}

}  // namespace locklab
