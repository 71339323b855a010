// A scenario's times, and the stage that it asks for: the same in every world.
#pragma once

#include "harness/core/lock.h"
#include "harness/stage/script.h"
#include "harness/stage/stage.h"

namespace locklab {

/// Scales all of its times so that its TTL is this one.
Scenario in_proportion(Scenario scenario, Duration ttl);

/// The stage for a lock. `written`: the TTL in the scenario's file.
StageConfig stage_for(const Algorithm& algorithm, const Scenario& scenario, Duration written);

/// Longer than any wait that the script itself causes.
Duration patience_for(const Scenario& scenario);

}  // namespace locklab
