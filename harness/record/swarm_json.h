// What a swarm showed, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/check/swarm_count.h"
#include "harness/core/fault_budget.h"

namespace locklab {

/// {"faults":[...],"clients":[...],"ttls":[...],"subsets":[...],"fewest_struck":...}. Each row of
/// these lists has what was drawn and, of the runs that have it, "runs", "violated", "stuck" and
/// "causes": in how many each was found. That of a fault also says in how many it "struck", and has
/// the same of the runs "without" it. `budget`: what was drawn from.
nlohmann::ordered_json to_json(const SwarmCount& swarm, const FaultBudget& budget);

}  // namespace locklab
