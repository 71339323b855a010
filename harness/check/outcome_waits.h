// Who waited for a lock in vain in a play, or was answered with an error: the parts of an Outcome
// that tell of clients which did not get what they wanted.
#pragma once

#include "harness/check/outcome.h"

namespace locklab {

/// What is about one lock of several, and about none.
History about(const History& history, ResourceId lock);

/// Fills in `stuck`, `kept_out` and `failed`. `ttl` is what half a TTL is measured in.
void find_waiting(const History& history, Duration ttl, Outcome& outcome);

}  // namespace locklab
