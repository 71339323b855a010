// Campaigns against a real Redis: many runs at once, of several locks together, judged like those
// of the simulator.
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
    SpecOfRun of_run;         ///< of a swarm: the specification of each run
    std::uint64_t first = 0;  ///< earlier runs are counted already
    std::uint64_t runs;
    CampaignCount count;
    /// How many of its runs the model's rules allow.
    InclusionCount inclusion;
    /// The shortest run that shows the verdict: it cannot be repeated, so its history is kept.
    std::optional<History> witness;
};

using LiveProgress = std::function<void(std::size_t runs_done, std::size_t runs)>;

/// Runs every cell, on as many servers as the largest cell needs. A restart strikes all runs under
/// way on that server; so if one is planned, runs go in batches, and only one run of a batch,
/// drawn, causes it. A run that this machine disturbed is repeated once, after all others. Returns
/// a sentence if keys may be left on the server, else an empty string.
std::string run_live_campaign(std::vector<LiveCell>& cells, std::uint64_t seed, LiveServer& server,
                              const LiveProgress& progress);

/// Callbacks of campaigns that run side by side. One is called at a time, each from any thread.
struct LiveNews {
    LiveProgress progress;  ///< runs of all campaigns
    /// All runs of a campaign are counted. Not called for an interrupted one.
    std::function<void(std::size_t campaign)> finished;
};

/// Results of campaigns that ran side by side, besides their cells.
struct LiveSummary {
    std::string keys_left;  ///< as run_live_campaign() returns it
    /// The least and the highest limit of runs under way at once.
    std::size_t least_at_once = 0;
    std::size_t most_at_once = 0;
};

/// Runs several campaigns, their batches side by side, each batch on servers of its own, as far as
/// this machine keeps up (RunsAtOnce). Results are counted as in run_live_campaign(), in the order
/// of the runs. A foreign server is a single one, where batches follow each other. `stop` ends it;
/// `server` was made with the same flag.
LiveSummary run_live_campaigns(std::vector<std::vector<LiveCell>>& campaigns, std::uint64_t seed,
                               LiveServer& server, const std::atomic<bool>& stop,
                               const LiveNews& news);

}  // namespace locklab
