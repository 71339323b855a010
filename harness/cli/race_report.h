// A race for the report: one play of a scenario step by step, and what every lock makes of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "harness/cli/scenario_plays.h"

namespace locklab {

/// {"races": [...]}: one for each scenario that was played in sim, in the order of the plays. It
/// is shown with the first lock that it hits, else with the first.
nlohmann::ordered_json races_json(const std::vector<PlayedScenario>& plays);

}  // namespace locklab
