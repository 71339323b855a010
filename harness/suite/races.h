// The races of the report, from plays of scenarios.
#pragma once

#include <vector>

#include "harness/play/scenario_plays.h"
#include "harness/suite/scene_row.h"

namespace locklab {

/// One race for each scenario that was played in sim, in the order of the plays. It is shown with
/// the first lock that it breaks, else with the first lock.
std::vector<RaceRow> races_of(const std::vector<PlayedScenario>& plays);

}  // namespace locklab
