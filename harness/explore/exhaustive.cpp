#include "harness/explore/exhaustive.h"

#include <algorithm>

#include "harness/explore/state_set.h"

namespace locklab {

namespace {

void tell_path(const StateSet& states, std::uint32_t last, SearchResult& result) {
    std::uint32_t i = last;
    for (; states.parent(i) != StateSet::kNone; i = states.parent(i)) {
        result.witness.push_back(states.step(i));
    }
    std::reverse(result.witness.begin(), result.witness.end());
    result.witness_start = states.state(i);
}

}  // namespace

SearchResult search_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                                 const SearchLimits& limits, const std::atomic<bool>& stop) {
    Rules rules(algorithm, bounds);
    StateSet states(rules.bytes());
    SearchResult result;
    for (const Successor& start : rules.initial()) {
        states.insert(start.state, StateSet::kNone, start.step);
    }
    std::vector<Successor> next;
    std::uint64_t level_end = states.size();
    for (std::uint32_t i = 0; i < states.size(); ++i) {
        if (i == level_end) {
            ++result.depth;
            level_end = states.size();
        }
        if (stop || states.size() > limits.most_states) break;
        rules.expand(states.state(i), next);
        result.transitions += next.size();
        bool violated = false;
        for (const Successor& successor : next) {
            if (!states.insert(successor.state, i, successor.step)) continue;
            violated = rules.is_violated(successor.state);
            if (violated) break;
        }
        if (violated) {
            result.verdict = Verdict::violated;
            tell_path(states, static_cast<std::uint32_t>(states.size() - 1), result);
            break;
        }
        result.exhausted = i + 1 == states.size();
    }
    if (result.verdict != Verdict::violated && result.exhausted) result.verdict = Verdict::holds;
    result.states = states.size();
    result.digest = states.digest();
    result.client_runs = rules.clients().runs();
    return result;
}

}  // namespace locklab
