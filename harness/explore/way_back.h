// The run that led to a state kept by a search.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "harness/explore/level.h"
#include "harness/explore/path.h"

namespace locklab {

/// What a search keeps of the states that it has met.
template <std::size_t kWords>
struct KeptStates {
    const StateSet<kWords>& states;
    std::span<const Waiting<kWords>> starts;
    const Packing& packing;
};

/// Each stored step has its client's number in the kept state, so client numbers are tracked from
/// the start on. `more`: steps after the state. `last_is`: the original numbers of the clients of
/// the last state.
template <std::size_t kWords>
Path way_back(const KeptStates<kWords>& kept, Rules& rules, StateId last,
              const std::vector<Step>& more, Permutation* last_is = nullptr) {
    std::vector<Step> steps(more.rbegin(), more.rend());
    StateId id = last;
    for (; kept.states.parent(id) != kNoState; id = kept.states.parent(id)) {
        steps.push_back(kept.states.step(id));
    }
    const auto start = std::find_if(kept.starts.begin(), kept.starts.end(),
                                    [id](const auto& first) { return first.id == id; });
    State state = kept.packing.unpacked(start->state);
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
