// A scenario's times, and the stage that it asks for: the same on every stage that it is played on.
#pragma once

#include "harness/core/lock.h"
#include "harness/stage/script.h"
#include "harness/stage/stage.h"

namespace locklab {

/// All of its times in proportion, so that its TTL is this one.
Scenario in_proportion(Scenario scenario, Duration ttl);

/// For a lock that plays it. `written`: the TTL that stands in its file.
StageConfig stage_for(const Algorithm& algorithm, const Scenario& scenario, Duration written);

/// Longer than whatever the script itself keeps somebody waiting.
Duration patience_for(const Scenario& scenario);

}  // namespace locklab
