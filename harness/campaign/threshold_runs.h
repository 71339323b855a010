// The least sets of faults that break each of some locks, several locks at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/explore/thresholds.h"

namespace locklab {

/// One lock, the question about it, and the result.
struct ThresholdRun {
    const Algorithm* algorithm = nullptr;
    ThresholdQuestion question;
    ThresholdPair found;
    double seconds = 0;
    SearchLimits limits{};  ///< of each search

    /// False: it was interrupted, or not begun.
    bool complete() const { return found.progress.complete; }
};

/// Callbacks while they run, called by one thread at a time.
struct ThresholdNews {
    /// The state of a lock's search ("set_nx_lua, 12 states"), and the number of finished locks.
    std::function<void(const std::string& what, std::size_t done)> show;
    /// A finished lock.
    std::function<void(const ThresholdRun& run)> found;
};

/// One thread searches each lock: levels of states are too small for several. Locks that take
/// longest come first; `runs` keeps its order. Ends early if it is stopped.
void run_thresholds(std::vector<ThresholdRun>& runs, const std::atomic<bool>& stop,
                    const ThresholdNews& news);

}  // namespace locklab
