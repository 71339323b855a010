// A shard of a simulated campaign: some runs of each lock, uncounted, for `locklab merge` to count.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/campaign/campaign_spec.h"
#include "harness/cli/command_line.h"
#include "harness/explore/sim_campaign.h"
#include "harness/record/shard_folder.h"

namespace locklab {

/// The runs of one lock. For a swarm `spec` has everything that runs draw from.
struct LockRuns {
    RunSpec spec;
    SpecOfRun of_run = {};
};

/// Throws UsageError where shards would not be parts of one run.
void check_campaign_shard(const CampaignOptions& options);

/// Makes the shard's runs: a contiguous range of each lock's. Returns the exit code.
int make_campaign_shard(const CommandLine& line, const Shard& shard,
                        const std::vector<LockRuns>& locks, const CampaignOptions& options);

/// The runs of one lock, from shards that have them all, one after the other.
class RunsOfShards {
public:
    RunsOfShards(const std::vector<ShardFolder>& shards, const LockRuns& lock);

    /// The next runs. After one that hit a bound there may be none.
    std::vector<MadeRun> next(std::size_t size);
    /// Why the runs show nothing, as half a sentence; else empty.
    std::string why_unknown() const;

private:
    bool read_next_line(std::string& line);

    const std::vector<ShardFolder>& shards_;
    const std::string lock_;
    std::size_t shard_ = 0;
    std::size_t part_ = 0;
    std::size_t place_ = 0;
    std::string content_;
};

}  // namespace locklab
