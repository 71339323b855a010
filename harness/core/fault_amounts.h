// How large the faults are that a plan draws.
#pragma once

#include <cstdint>

#include "harness/core/hazard.h"

namespace locklab {

/// In hundredths of the TTL, drawn evenly from `least` to `most`; where `both_ways`, half are
/// negative. Both are 0 where a fault has no size.
struct FaultAmounts {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool both_ways = false;
};

FaultAmounts amounts_of(Hazard hazard);

}  // namespace locklab
