// What clean runs prove. The bound is what they leave open: the upper end of the 95 % interval for
// the share of runs in which something goes wrong. Few runs prove little; then the verdict is not
// that the lock holds, but that nothing was seen.
#pragma once

#include <cstdint>

#include "harness/check/interval.h"
#include "harness/check/verdict.h"

namespace locklab {

/// Beyond this bound there are too few runs for `holds`.
inline constexpr double kMostLeftOpen = 0.10;
/// The bound at which a full campaign stops.
inline constexpr double kFullLeavesOpen = 0.05;

/// 1 if there are no runs.
inline double run_bound(std::uint64_t runs) { return share_interval(0, runs).high; }

/// The fewest runs whose bound is at most `bound`.
inline std::uint64_t runs_for(double bound) {
    std::uint64_t runs = 1;
    while (run_bound(runs) > bound) ++runs;
    return runs;
}

/// The verdict of this many clean runs that show something.
inline Verdict verdict_of_clean(std::uint64_t runs) {
    if (runs == 0) return Verdict::unknown;
    return run_bound(runs) > kMostLeftOpen ? Verdict::not_seen : Verdict::holds;
}

}  // namespace locklab
