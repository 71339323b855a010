// The third oracle: a write under an older grant after one under a newer. A resource that checks
// fencing tokens (Kleppmann, "How to do distributed locking", 2016) would have refused it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct FenceInversion {
    std::size_t event = 0;  ///< the Wrote, by its place in the log
    std::uint64_t grant = 0;
    std::uint64_t highest = 0;  ///< the newest grant that had written before it
};

std::vector<FenceInversion> fence_inversions(const History& history);

}  // namespace locklab
