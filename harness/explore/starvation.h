// Can a client be passed over for ever? A lasso is the answer: a stem that leads to a state, and a
// cycle that comes back to it, in which one client wants the lock all the time, tries and is
// refused, and others are granted it. It can be gone round for ever, so there are no faults in it;
// there may be some in the stem.
//
// Clients want the lock again and again, and try without end. Of all states that are the same (see
// TwinRun) one is kept, breadth first; cycles are in the strongly connected components of what is
// left of the graph without the grants of one client. That states are the same is checked on long
// walks, which have another past in each state: every edge is made again there, and must lead where
// the graph says. Where it does not, more tries are told apart; in the end it is not known.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/explore/path.h"

namespace locklab {

struct Lasso {
    std::uint32_t victim = 0;
    std::vector<Step> stem;
    std::size_t before = 0;  ///< so many steps of the stem are rounds that each client has alone
    std::vector<Step> cycle;
    bool takes_time = false;  ///< time passes in the cycle
};

struct StarvationLimits {
    std::uint64_t states = 20'000;
};

struct Starvation {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    /// Violated if somebody can be passed over for ever; holds if nobody can be.
    Verdict verdict = Verdict::unknown;
    std::string why_unknown;
    std::optional<Lasso> lasso;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;    ///< from one state to another
    std::uint64_t refused = 0;  ///< of these, that refuse a try
    std::uint64_t granted = 0;
    std::uint64_t checked = 0;  ///< steps of walks with other pasts
    std::uint32_t tries = 1;    ///< of a round that were told apart
};

/// What is asked unless somebody asks for more clients, or for faults. No end of rounds and tries.
Bounds starvation_bounds(const Algorithm& algorithm);
/// The faults that there may be: of the others a state does not tell enough.
bool may_starve(Hazard hazard);

Starvation find_starvation(const Algorithm& algorithm, const Bounds& bounds,
                           const StarvationLimits& limits, const std::atomic<bool>& stop,
                           const std::function<void(std::uint64_t states)>& tell);

}  // namespace locklab
