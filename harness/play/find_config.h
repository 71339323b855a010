// The stage on which a find is played: its clients, their clocks, and who waits in the end.
#pragma once

#include <optional>
#include <string>

#include "harness/play/step_player.h"

namespace locklab {

/// Who waits in the end; nothing: nobody.
std::optional<ClientId> waiter_of(const Find& find);
/// What becomes of a command of it that no fault strikes.
CommandFault calm_way(const Find& find);
/// Whose the scene of it is, and what it is about.
void describe(Scene& scene, const Find& find);
/// Which key an eviction takes, where the lock's own is called `own`; empty: that one.
std::string evicted_by(const Find& find, const Step& step, const Key& own);
StageConfig config_for(const Find& find, const Key& key);

}  // namespace locklab
