// The stage for playing a counterexample: its clients, their clocks, and the client that waits at
// the end.
#pragma once

#include <optional>
#include <string>

#include "harness/play/step_player.h"

namespace locklab {

/// The client that waits at the end; nothing: none.
std::optional<ClientId> waiter_of(const Find& find);
/// What happens to a command that no fault strikes.
CommandFault calm_way(const Find& find);
/// Fills in names and whether latency is told.
void describe(Scene& scene, const Find& find);
/// Which key an eviction takes, where the lock's own is called `own`; empty: that one.
std::string evicted_by(const Find& find, const Step& step, const Key& own);
StageConfig config_for(const Find& find, const Key& key);

}  // namespace locklab
