// Whether there is a Redis at an address, which, and whether it takes writes.
#pragma once

#include <string>

#include "harness/live/endpoint.h"

namespace locklab {

/// The version of the Redis at `endpoint`. It is asked some things, one of them to write a key that
/// is deleted at once (and would expire after a second), one to run a script. Throws
/// std::runtime_error with one sentence if one of them is not answered, to its end, within two
/// seconds, or what answers is no Redis that can be used: twelve seconds at the most.
std::string probe(const Endpoint& endpoint);

}  // namespace locklab
