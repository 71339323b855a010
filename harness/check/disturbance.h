// Whether the machine under a live run was too slow for the run to mean what it was meant to: a
// pause that nobody planned breaks a lease as well as one that was.
#pragma once

#include "harness/core/history.h"

namespace locklab {

/// True where an answer was Unknown though no fault had struck its command or the server, or
/// where for half of `ttl` nothing happened at all. For live histories; sim has no machine.
bool was_disturbed(const History& history, Duration ttl);

}  // namespace locklab
