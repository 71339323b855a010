// A play that is over soon.
#pragma once

#include <chrono>

#include "harness/foreign/play_spec.h"

namespace locklab {

inline PlaySpec short_spec() {
    PlaySpec spec;
    spec.ttl = std::chrono::milliseconds(200);
    spec.timeout = spec.ttl / 5;
    return spec;
}

}  // namespace locklab
