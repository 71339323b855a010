// What a swarm showed for each fault, number of clients and TTL, in words.
#pragma once

#include <string>

#include "harness/check/swarm_count.h"
#include "harness/core/fault_budget.h"

namespace locklab {

/// Lines for a cell's text, each after a line break.
std::string swarm_text(const FaultBudget& budget, const SwarmCount& swarm);

/// "pause, crash", in report order; "none".
std::string to_string(const HazardSet& hazards);

}  // namespace locklab
