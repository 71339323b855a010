// The scripts of a foreign library come from nobody that we know: what a run of it sent is run
// again in a child process.
#pragma once

#include "harness/core/history.h"
#include "harness/inclusion/inclusion.h"

namespace locklab {

/// find_order(), and then tell_effects() of the history, both in a child. Throws ApartError,
/// std::runtime_error where a script goes beyond ScriptLimits, std::system_error.
Inclusion replay_apart(History& history, const ServerNotes& notes);

}  // namespace locklab
