// Random schedules within the bounds of a search, where states are too many to visit them all.
#pragma once

#include <atomic>
#include <cstdint>

#include "harness/explore/exhaustive.h"

namespace locklab {

enum class RandomStrategy : std::uint8_t {
    uniform,  ///< every step that can be made is as likely as any other
    /// The client with the highest priority goes on; at some moments, drawn before, the first
    /// becomes the last (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees
    /// of Finding Bugs", ASPLOS 2010).
    pct,
};

struct RandomLimits {
    RandomStrategy strategy = RandomStrategy::uniform;
    std::uint64_t schedules = 100'000;
    std::uint64_t seed = 1;
    /// Priorities change so often in a schedule (PCT's depth, less one).
    std::uint32_t changes = 2;
};

struct RandomResult {
    /// Violated, or unknown: random schedules prove nothing.
    Verdict verdict = Verdict::unknown;
    std::uint64_t schedules = 0;
    std::uint64_t steps = 0;
    std::uint64_t schedule = 0;  ///< the one that was violated, counted from 0
    Path witness;
};

/// Stops at the first violation. The faults of each schedule, and when they strike, are drawn
/// before it begins, so that they are not thinned out by all the steps at which they could.
RandomResult search_randomly(const Algorithm& algorithm, const Bounds& bounds,
                             const RandomLimits& limits, const std::atomic<bool>& stop,
                             const std::function<void(std::uint64_t schedules)>& tell);

}  // namespace locklab
