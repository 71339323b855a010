// The least faults that break each of some locks, several locks at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/explore/thresholds.h"

namespace locklab {

/// One lock, what is asked about it, and what came of it.
struct ThresholdRun {
    const Algorithm* algorithm = nullptr;
    ThresholdQuestion question;
    ThresholdPair found;
    double seconds = 0;

    /// False: it was interrupted, or not begun.
    bool complete() const { return found.progress.complete; }
};

/// What is told while they run, by one thread at a time.
struct ThresholdNews {
    /// What a lock is at ("set_nx_lua, 12 states"), and of how many locks all is known.
    std::function<void(const std::string& what, std::size_t done)> show;
    /// A lock of which all is known.
    std::function<void(const ThresholdRun& run)> found;
};

/// Each lock is searched by one thread: levels of states are too small to be shared by several.
/// Those that take longest come first; `runs` keeps its order. Ends early if it is stopped.
void run_thresholds(std::vector<ThresholdRun>& runs, const std::atomic<bool>& stop,
                    const ThresholdNews& news);

}  // namespace locklab
