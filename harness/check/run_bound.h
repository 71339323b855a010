// What runs say in which nothing went wrong. The bound is what they leave open: the upper end of
// the 95 % interval for the share of runs in which it does. Where few runs were made they say
// little, and the verdict is not that the lock holds, but that nothing was seen.
#pragma once

#include <cstdint>

#include "harness/check/interval.h"
#include "harness/check/verdict.h"

namespace locklab {

/// Beyond this bound runs are too few for `holds`.
inline constexpr double kMostLeftOpen = 0.10;
/// What a full campaign goes on to.
inline constexpr double kFullLeavesOpen = 0.05;

/// 1 for no runs at all.
inline double run_bound(std::uint64_t runs) { return share_interval(0, runs).high; }

/// The fewest runs whose bound is no greater.
inline std::uint64_t runs_for(double bound) {
    std::uint64_t runs = 1;
    while (run_bound(runs) > bound) ++runs;
    return runs;
}

/// Of so many runs that show something, and in which nothing went wrong.
inline Verdict verdict_of_clean(std::uint64_t runs) {
    if (runs == 0) return Verdict::unknown;
    return run_bound(runs) > kMostLeftOpen ? Verdict::not_seen : Verdict::holds;
}

}  // namespace locklab
