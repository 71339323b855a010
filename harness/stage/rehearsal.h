// Runs a lock alone before a play, to learn which commands only its watchdog sends.
#pragma once

#include <set>
#include <string>

#include "harness/stage/stage.h"

namespace locklab {

/// Commands that only watchdogs send, as named by command_meant(). `config` is that of the play;
/// its first client takes the lock, holds it for two renewals and releases it, in sim. Empty for a
/// lock that does not renew.
std::set<std::string> commands_of_watchdogs_alone(StageConfig config);

}  // namespace locklab
