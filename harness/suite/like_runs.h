// For live runs with an unexpected result: similar runs in the simulator, how many more live runs
// are needed, and the probability of a difference between the two worlds.
#pragma once

#include <cstdint>

#include "harness/core/run_spec.h"
#include "harness/explore/sim_campaign.h"
#include "harness/suite/cell_row.h"

namespace locklab {

/// `runs` runs in sim of a live cell's own specification.
LikeRuns like_runs_of(const RunSpec& live, std::uint64_t runs, std::uint64_t seed,
                      const StopFlag& stop);

/// Number of live runs that show a failure of that rate, but for one time in a thousand; at most
/// 1,500, and none if no run in sim failed.
std::uint64_t runs_to_see(const LikeRuns& like);

/// Of `of` runs `failed` fail, and of `none_of` others none: the probability of that if all are
/// alike (Fisher's exact test, one side).
double chance_of_none(std::uint64_t failed, std::uint64_t of, std::uint64_t none_of);

}  // namespace locklab
