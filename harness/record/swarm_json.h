// Results of a swarm as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/check/swarm_count.h"
#include "harness/core/fault_budget.h"

namespace locklab {

/// {"faults":[...],"clients":[...],"ttls":[...],"subsets":[...],"fewest_struck":...}. Each row of
/// these lists has the value drawn and, for the runs with it, "runs", "violated", "stuck" and
/// "causes": in how many each was found. The row of a fault also has the runs that it "struck", and
/// the same counts for runs "without" it. `budget`: what was drawn from.
nlohmann::ordered_json to_json(const SwarmCount& swarm, const FaultBudget& budget);

}  // namespace locklab
