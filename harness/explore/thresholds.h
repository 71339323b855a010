// The least that breaks a lock: the smallest sets of faults under which two clients are inside at
// once, or the lock is left behind for ever; and which sets were proved to be harmless.
#pragma once

#include <optional>
#include <vector>

#include "harness/explore/exhaustive.h"

namespace locklab {

struct Threshold {
    FaultBudget faults;
    /// Violated, stuck, holds (exhausted), or unknown.
    Verdict verdict = Verdict::unknown;
    Path witness;  ///< a shortest one
    /// The shortest pause, delay or slow job, or the least skew, that suffices, to the millisecond:
    /// for one fault that has such an amount.
    std::optional<Duration> least;
    /// Steps of a shortest witness with that least amount: it may take more of them.
    std::size_t least_steps = 0;
};

struct Thresholds {
    const Algorithm* algorithm = nullptr;
    Bounds bounds;
    Goal goal = Goal::exclusion;
    /// Those that break it, of which no part does.
    std::vector<Threshold> minimal;
    /// Those that were exhausted and do not.
    std::vector<FaultBudget> harmless;
    /// Those about which nothing is known, for want of memory or time.
    std::vector<FaultBudget> unknown;
    bool complete = false;  ///< false: interrupted
};

/// Every set of at most `most_faults` faults that can strike the lock, the smaller ones first.
/// `limits.goal` is exclusion or progress.
Thresholds find_thresholds(const Algorithm& algorithm, const Bounds& bounds,
                           std::uint32_t most_faults, const SearchLimits& limits,
                           const std::atomic<bool>& stop, const TellProgress& tell);

}  // namespace locklab
