// Whether there is a Redis at an address, and which.
#pragma once

#include <string>

#include "harness/live/endpoint.h"

namespace locklab {

/// The version of the Redis at `endpoint`. Throws std::runtime_error with one sentence if
/// nothing answers within two seconds, or what answers is no Redis that can be used.
std::string probe(const Endpoint& endpoint);

}  // namespace locklab
