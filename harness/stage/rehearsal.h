// A lock, tried alone before a play: which of its commands only its watchdog sends.
#pragma once

#include <set>
#include <string>

#include "harness/stage/stage.h"

namespace locklab {

/// As command_meant() has them. `config` is that of the play; its first client takes the lock, has
/// it for two renewals and gives it back, in sim. Empty for a lock that does not renew.
std::set<std::string> commands_of_watchdogs_alone(StageConfig config);

}  // namespace locklab
