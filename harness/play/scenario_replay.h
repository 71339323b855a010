// Replays a scenario from its trace.
#pragma once

#include <string>

#include "harness/core/scene.h"
#include "harness/core/watcher.h"
#include "harness/core/world_kind.h"
#include "harness/record/scenario_trace.h"
#include "harness/stage/script.h"

namespace locklab {

/// The scenario that the trace was made from.
Scenario scenario_in(const ScenarioTrace& trace, const std::string& file);

/// Plays it in that world: live on the Redis at host:port, or on a private one if that is empty.
/// `file` is the trace's name in messages. Throws UsageError.
Scene replay_scenario(const ScenarioTrace& trace, const std::string& file, WorldKind world,
                      const std::string& redis, const Watcher& watcher);

}  // namespace locklab
