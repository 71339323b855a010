// Clients that waited for a lock in vain, or got an error, in one run of a scenario: the parts of
// an Outcome about clients that did not get what they wanted.
#pragma once

#include "harness/check/outcome.h"

namespace locklab {

/// The history without events of the client's other locks.
History about(const History& history, ResourceId lock);

/// Fills in `stuck`, `kept_out` and `failed`. `ttl`: the lock's TTL, or the time that stands for
/// one.
void find_waiting(const History& history, Duration ttl, Outcome& outcome);

}  // namespace locklab
