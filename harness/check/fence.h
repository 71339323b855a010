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
    Instant at;
    ClientId client;
};

/// Follows a history event by event.
class FenceWatch {
public:
    void see(const Event& event, std::size_t place);
    const std::vector<FenceInversion>& found() const { return found_; }

private:
    std::vector<FenceInversion> found_;
    std::uint64_t highest_ = 0;
};

std::vector<FenceInversion> fence_inversions(const History& history);

}  // namespace locklab
