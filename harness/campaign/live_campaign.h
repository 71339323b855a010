// Campaigns against a real Redis: many runs at once, of several locks together, judged as those
// of the simulator are.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"
#include "harness/inclusion/inclusion.h"
#include "harness/live/live_server.h"

namespace locklab {

struct LiveCell {
    LiveCell(RunSpec its_spec, std::uint64_t its_runs, SpecOfRun its_run_specs = {})
        : spec(std::move(its_spec)),
          of_run(std::move(its_run_specs)),
          runs(its_runs),
          count(spec, spec.budget) {}

    RunSpec spec;
    SpecOfRun of_run;         ///< of a swarm: each run's own
    std::uint64_t first = 0;  ///< of its runs, those before it are counted already
    std::uint64_t runs;
    CampaignCount count;
    /// How many of its runs the rules of the model allow.
    InclusionCount inclusion;
    /// Of the shortest run that shows the verdict: it cannot be run again, so it is kept.
    std::optional<History> witness;
};

using LiveProgress = std::function<void(std::size_t runs_done, std::size_t runs)>;

/// Runs every cell, on as many servers as the cell that has most. A restart strikes all runs on
/// that server that are under way, so where one is planned the
/// runs go in batches, and only one of a batch, drawn, brings it. A run that this machine disturbed
/// is run once more, after all others. Returns a sentence if keys may
/// be left on the server, else nothing.
std::string run_live_campaign(std::vector<LiveCell>& cells, std::uint64_t seed, LiveServer& server,
                              const LiveProgress& progress);

/// Who hears of campaigns that run side by side. One is called at a time, each from any thread.
struct LiveNews {
    LiveProgress progress;  ///< runs of all campaigns
    /// All runs of a campaign are counted. Not called of one that is interrupted.
    std::function<void(std::size_t campaign)> finished;
};

/// What came of campaigns that ran side by side, beside their cells.
struct LiveSummary {
    std::string keys_left;  ///< as run_live_campaign() returns it
    /// The least and the most runs that were let be under way at once.
    std::size_t least_at_once = 0;
    std::size_t most_at_once = 0;
};

/// Runs several campaigns, their batches side by side, each batch on servers of its own, as far as
/// this machine keeps up (RunsAtOnce). What comes of each is counted as run_live_campaign() counts
/// it, in the order of the runs. Somebody's server is one, and there batches follow each other.
/// `stop` ends it; `server` was made with the same.
LiveSummary run_live_campaigns(std::vector<std::vector<LiveCell>>& campaigns, std::uint64_t seed,
                               LiveServer& server, const std::atomic<bool>& stop,
                               const LiveNews& news);

}  // namespace locklab
