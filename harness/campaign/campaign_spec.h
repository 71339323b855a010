// Options of a campaign, and the run specification that they give for one lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/run_spec.h"
#include "harness/core/world_kind.h"
#include "harness/explore/sim_campaign.h"

namespace locklab {

struct CampaignOptions {
    WorldKind world = WorldKind::sim;
    std::uint64_t seed = 1;
    std::uint64_t grants = 10'000;
    std::optional<std::uint64_t> runs;  ///< exactly this many, instead of `grants`
    bool full = false;  ///< continue until clean runs leave little open (run_bound.h)
    std::uint32_t clients = 3;
    bool exact_clients = false;  ///< no extra clients for a lock that needs more
    std::uint32_t tasks = 1;     ///< of each client, sharing its lock object
    std::uint64_t grants_per_run = 30;
    FaultBudget budget;
    /// Each run draws a subset of the faults, a number of clients up to `clients`, and a TTL.
    bool swarm = false;
    bool every_fault = false;          ///< of a swarm: every possible fault, instead of the budget
    std::optional<Topology> topology;  ///< instead of the lock's own
    std::uint32_t locks = 1;           ///< number that each client takes, one inside the other
    bool same_order = false;           ///< all clients take the locks in the same order
    UnequalClients unequal;            ///< clients with options of their own
    std::optional<Duration> ttl;
    std::optional<Duration> retry;
    std::optional<Duration> renewal;
    std::optional<Duration> unit;
    std::optional<Duration> timeout;
    std::optional<Duration> job_limit;
    bool guarded = false;  ///< as RunShape::guards_writes
    std::optional<DurationRange> job;
    std::optional<DurationRange> think;
    RegularPauses pauses;
    std::optional<std::string> latency;
    WaitPolicy::Kind wait = WaitPolicy::Kind::jitter;
    std::string redis;  ///< "host:port", or empty for a private server
};

/// Length of a campaign in sim with these options.
CampaignGoal campaign_goal(const CampaignOptions& options);

/// The run specification for one algorithm. Missing options have the article's default; live, the
/// TTL is 500 ms and the clock unit 1 ms, so that a TTL passes soon. Throws UsageError if options
/// do not fit together.
RunSpec spec_for(const Algorithm& algorithm, const CampaignOptions& options);

}  // namespace locklab
