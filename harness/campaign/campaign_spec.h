// How a campaign is to run, and what that makes of one lock.
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
    std::optional<std::uint64_t> runs;  ///< exactly so many, instead of `grants`
    bool full = false;  ///< and on, until clean runs leave little open (run_bound.h)
    std::uint32_t clients = 3;
    bool exact_clients = false;  ///< a lock that needs more of them is not given more
    std::uint32_t tasks = 1;     ///< of each client, that share its lock object
    std::uint64_t grants_per_run = 30;
    FaultBudget budget;
    /// Each run has a subset of the faults, up to so many clients, and a part of the TTL.
    bool swarm = false;
    bool every_fault = false;          ///< of a swarm: all that can be, instead of the budget
    std::optional<Topology> topology;  ///< instead of the lock's own
    std::uint32_t locks = 1;           ///< that each client takes, one inside the other
    bool same_order = false;           ///< every client begins with the same one
    UnequalClients unequal;            ///< clients that are given other options than the rest
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

/// How long these options make a campaign in sim.
CampaignGoal campaign_goal(const CampaignOptions& options);

/// What these options make of one algorithm. An option that is not given has the article's
/// default; live, the TTL is 500 ms and the clock unit 1 ms, so that a TTL soon passes.
/// Throws UsageError where options do not fit together.
RunSpec spec_for(const Algorithm& algorithm, const CampaignOptions& options);

}  // namespace locklab
