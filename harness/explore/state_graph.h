// The graph of all states within the bounds: exact counts of schedules, and exact probabilities.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/path.h"

namespace locklab {

/// Of a random walk that begins at each start, and makes each offered step, faults included, with
/// equal probability.
struct Odds {
    bool complete = false;  ///< false: the graph was not finished, and the rest is unknown
    std::string why_not;
    /// Probability that more clients are inside at once than permitted.
    double violation = 0;
    /// Number of schedules, each to its end or to a violation; exact below 2^53.
    double schedules = 0;
    double violated_schedules = 0;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;  ///< transitions between states
    /// Probability of a violation along a path: before its first step, after it, and so on.
    std::vector<double> along;
    /// After this many steps of the path, every continuation is violated; -1: never.
    std::int64_t inevitable_after = -1;
};

/// `memory`: bytes for states and steps. `path` may be empty.
Odds odds_of(const Algorithm& algorithm, const Bounds& bounds, const Path& path,
             std::uint64_t memory, const std::atomic<bool>& stop);

}  // namespace locklab
