// A campaign in the simulator: random runs of one specification, on all cores, counted in run
// order, so that the number of threads affects only the time.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/check/campaign_count.h"
#include "harness/check/made_run.h"
#include "harness/core/run_spec.h"

namespace locklab {

struct CampaignGoal {
    std::uint64_t seed = 1;
    /// Runs until so many grants were counted...
    std::uint64_t grants = 10'000;
    /// ...but no more runs than this: a lock that is stuck grants little.
    std::uint64_t most_runs = 1'000;
    /// Goes on after that, until clean runs leave at most 5 % open, or kMostFullRuns were made.
    bool full = false;
};

/// After this many clean runs, more would show nothing new.
inline constexpr std::uint64_t kMostFullRuns = 10'000;

/// Set from a signal handler or another thread: the campaign ends soon, with what it has.
using StopFlag = std::atomic<bool>;
/// Called between batches with the grants counted so far.
using Progress = std::function<void(std::uint64_t grants)>;

/// Runs of the campaign that were made before: `size` of them from `first` on.
using MadeElsewhere = std::function<std::vector<MadeRun>(std::uint64_t first, std::size_t size)>;

/// For a swarm, `of_run` gives the specification of each run, and `spec` covers all of them. Runs
/// that were made elsewhere are only counted, and some of them, and the witness, made again.
CampaignCount run_sim_campaign(const RunSpec& spec, const CampaignGoal& goal, const StopFlag& stop,
                               const Progress& progress, const SpecOfRun& of_run = {},
                               const MadeElsewhere& elsewhere = {});

using TakeRun = std::function<void(const MadeRun& made)>;

/// Makes runs `first` to `end - 1` of a campaign and counts nothing; ends after one that hits a
/// bound. Why the runs show nothing, as half a sentence, if some differed when they were made
/// again; else empty.
std::string make_sim_runs(const RunSpec& spec, std::uint64_t seed, std::uint64_t first,
                          std::uint64_t end, const StopFlag& stop, const SpecOfRun& of_run,
                          const TakeRun& take);

}  // namespace locklab
