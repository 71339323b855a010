// The options that say how a campaign runs, shared by the verbs that run one.
#pragma once

#include <optional>
#include <string>

#include "harness/cli/command_line.h"
#include "harness/cli/world_options.h"
#include "harness/core/run_spec.h"
#include "harness/explore/sim_campaign.h"

namespace locklab {

struct CampaignOptions {
    WorldKind world = WorldKind::sim;
    std::uint64_t seed = 1;
    std::uint64_t grants = 10'000;
    std::optional<std::uint64_t> runs;  ///< exactly so many, instead of `grants`
    std::uint32_t clients = 3;
    std::uint64_t grants_per_run = 30;
    FaultBudget budget;
    std::optional<Duration> ttl;
    std::optional<Duration> retry;
    std::optional<Duration> renewal;
    std::optional<Duration> unit;
    std::optional<Duration> timeout;
    std::optional<Duration> job_limit;
    std::optional<DurationRange> job;
    std::optional<DurationRange> think;
    RegularPauses pauses;
    std::optional<std::string> latency;
    WaitPolicy::Kind wait = WaitPolicy::Kind::jitter;
    std::string redis;  ///< "host:port", or empty for a private server
};

/// --world, --seed, --faults, --ttl, ...
OptionList campaign_option_list();
/// Throws UsageError.
CampaignOptions campaign_options(const CommandLine& line);

/// --wait. Throws UsageError.
WaitPolicy::Kind wait_option(const CommandLine& line);

/// How long these options make a campaign in sim.
CampaignGoal campaign_goal(const CampaignOptions& options);

/// What these options make of one algorithm. An option that is not given has the article's
/// default; live, the TTL is 500 ms and the clock unit 1 ms, so that a TTL soon passes.
/// Throws UsageError where options do not fit together.
RunSpec spec_for(const Algorithm& algorithm, const CampaignOptions& options);

/// The algorithms that an operand names: one, or all.
std::vector<const Algorithm*> algorithms_named(const std::string& operand);

}  // namespace locklab
