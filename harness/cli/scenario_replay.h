// A play again, from its trace.
#pragma once

#include <string>

#include "harness/cli/world_options.h"
#include "harness/core/scene.h"
#include "harness/record/scenario_trace.h"
#include "harness/stage/script.h"

namespace locklab {

/// The scenario that the trace was made of. `file` is what messages call it. Throws UsageError.
Scenario scenario_in(const ScenarioTrace& trace, const std::string& file);

/// What `replay` shows of a play: its history, and what to call it.
struct ReplayedScene {
    Scene scene;
    std::string title;
};

/// Plays it in the world that the options ask for. `redis` as redis_option() gives it.
ReplayedScene replay_scenario(const ScenarioTrace& trace, const std::string& file, WorldKind world,
                              const std::string& redis);

}  // namespace locklab
