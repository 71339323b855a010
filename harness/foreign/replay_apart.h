// The scripts of a foreign library come from nobody that we know: what a run of it sent is run
// again in a child process.
#pragma once

#include <string>

#include "harness/core/history.h"
#include "harness/inclusion/inclusion.h"

namespace locklab {

/// find_order(), and then tell_effects() of the history, both in a child. Throws DriverTrouble, for
/// what `who` sent can then not be judged: a script goes beyond ScriptLimits, or ended the child.
Inclusion replay_apart(History& history, const ServerNotes& notes, const std::string& who);

}  // namespace locklab
