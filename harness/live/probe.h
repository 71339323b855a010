// Checks which Redis is at an address, and whether it takes writes.
#pragma once

#include <string>

#include "harness/core/lock.h"
#include "harness/live/endpoint.h"

namespace locklab {

/// The version of the Redis at `endpoint`: "7.0.15", or "7.2.4 (Valkey 9.1.2)". It gets a few
/// commands; one writes a key that is deleted at once (and would expire after a second), one runs a
/// script. Throws std::runtime_error with one sentence if one of them is not answered completely
/// within two seconds, or if it is no usable Redis: twelve seconds at most.
std::string probe(const Endpoint& endpoint);

/// Throws std::invalid_argument with one sentence if the lock needs commands that the server there
/// lacks.
void require_commands(const Algorithm& algorithm, const Endpoint& endpoint);

}  // namespace locklab
