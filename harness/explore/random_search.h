// Random schedules within the bounds of a search, for locks with too many states to visit them all.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/explore/walker.h"

namespace locklab {

struct RandomLimits {
    Strategy strategy = Strategy::uniform;
    std::uint64_t schedules = 100'000;
    /// Those before this number are walked elsewhere.
    std::uint64_t first = 0;
    std::uint64_t seed = 1;
    /// Changes of priority, or delays, in a schedule: PCT's depth less one, or the delay bound.
    std::uint32_t changes = 2;
    std::uint32_t threads = 1;
    /// Goes on after the first violation, to count violations.
    bool count = false;
};

struct RandomResult {
    /// Violated, or unknown: random schedules prove nothing.
    Verdict verdict = Verdict::unknown;
    std::uint64_t schedules = 0;
    std::uint64_t steps = 0;
    std::uint64_t violated = 0;  ///< number of schedules; at most 1 unless `count` is set
    std::uint64_t schedule = 0;  ///< number of the first violated schedule, counted from 0
    Path witness;                ///< that schedule
    /// What the schedules exercised; empty if the first violation ended the search.
    Coverage coverage;
    std::string why_unknown;
};

/// Results of `parts`, which follow on each other, as one search of them all would give. The first
/// witness is walked again. `parts` may end with ones that one search would not have come to.
RandomResult joined(const Algorithm& algorithm, const Bounds& bounds, const RandomLimits& limits,
                    const std::vector<RandomResult>& parts);

/// The result does not depend on the number of threads.
RandomResult search_randomly(const Algorithm& algorithm, const Bounds& bounds,
                             const RandomLimits& limits, const std::atomic<bool>& stop,
                             const std::function<void(std::uint64_t schedules)>& tell);

}  // namespace locklab
