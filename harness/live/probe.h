// Checks which Redis is at an address, and whether it takes writes.
#pragma once

#include <string>

#include "harness/live/endpoint.h"

namespace locklab {

/// The version of the Redis at `endpoint`. It gets a few commands; one writes a key that is deleted
/// at once (and would expire after a second), one runs a script. Throws std::runtime_error with one
/// sentence if one of them is not answered completely within two seconds, or if it is no usable
/// Redis: twelve seconds at most.
std::string probe(const Endpoint& endpoint);

}  // namespace locklab
