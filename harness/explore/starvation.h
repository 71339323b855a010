// Can a client be passed over for ever? If so, a lasso shows it: a stem that leads to a state, and
// a cycle back to that state, in which one client always wants the lock, tries and is refused,
// while others are granted it. The cycle can repeat for ever, so it has no faults; the stem may
// have some.
//
// Clients want the lock again and again, and try without end. Of states that count as the same (see
// TwinRun) one is kept, breadth first. Cycles lie in the strongly connected components of the graph
// without the grants of one client. That states are the same is checked on long walks, which reach
// each state with another past: every edge is made again there, and must lead where the graph says.
// If one does not, more tries are told apart; at last the verdict is unknown.
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
    std::size_t before = 0;  ///< this many steps of the stem are rounds that each client has alone
    std::vector<Step> cycle;
    bool takes_time = false;  ///< time passes in the cycle
};

struct StarvationLimits {
    std::uint64_t states = 20'000;
};

struct Starvation {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    /// Violated if some client can be passed over for ever; holds if none can be.
    Verdict verdict = Verdict::unknown;
    std::string why_unknown;
    std::optional<Lasso> lasso;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;    ///< transitions between states
    std::uint64_t refused = 0;  ///< transitions that refuse a try
    std::uint64_t granted = 0;
    std::uint64_t checked = 0;  ///< steps of walks with other pasts
    std::uint32_t tries = 1;    ///< tries of a round that were told apart
};

/// The default question, without faults and with the fewest clients. Rounds and tries have no end.
Bounds starvation_bounds(const Algorithm& algorithm);
/// The faults that a search for starvation supports: states do not describe others fully.
bool may_starve(Hazard hazard);

Starvation find_starvation(const Algorithm& algorithm, const Bounds& bounds,
                           const StarvationLimits& limits, const std::atomic<bool>& stop,
                           const std::function<void(std::uint64_t states)>& tell);

}  // namespace locklab
