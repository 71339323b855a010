// The second oracle: a write that was computed from a version which another has replaced since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

struct LostUpdate {
    std::size_t event = 0;  ///< the Wrote, by its place in the log
    std::uint64_t grant = 0;
    /// Whose write it destroyed; 0 if the history does not say.
    std::uint64_t victim = 0;
};

std::vector<LostUpdate> lost_updates(const History& history);

/// All writes, and how many of them nothing is left of in the end: a stale write takes with it
/// whatever was written since its own read. So a set to which each job adds would lack as many of
/// its elements, which is what Jepsen's set tests count.
struct WriteCount {
    std::uint64_t writes = 0;
    std::uint64_t erased = 0;
};

WriteCount count_writes(const History& history);

}  // namespace locklab
