// Scripts of a foreign library are untrusted: the commands of its run are executed again in a child
// process.
#pragma once

#include <string>

#include "harness/core/history.h"
#include "harness/inclusion/inclusion.h"

namespace locklab {

/// Calls find_order(), then tell_effects() of the history, both in a child process. Throws
/// DriverTrouble if the commands of `who` cannot be judged: a script exceeds ScriptLimits, or ended
/// the child.
Inclusion replay_apart(History& history, const ServerNotes& notes, const std::string& who);

}  // namespace locklab
