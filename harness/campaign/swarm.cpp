#include "harness/campaign/swarm.h"

#include <array>
#include <span>

#include "harness/core/random_choices.h"
#include "harness/core/usage_error.h"

namespace locklab {

namespace {

/// Draws use a stream of their own: a run's picks begin with its plan, as in any run.
constexpr std::uint64_t kDrawStream = 0x5357'4152'4D00'0000;
constexpr std::uint64_t kBatchStream = 0x5357'4152'4D42'0000;

/// Percent of the usual TTL. A real machine is late now and then, and takes its time.
constexpr std::array<int, 5> kSimPercents{25, 50, 100, 200, 400};
constexpr std::array<int, 3> kLivePercents{50, 100, 200};

/// One of each fault that the lock and the world can have.
FaultBudget all_faults(const Algorithm& algorithm, const CampaignOptions& options) {
    const bool live = options.world == WorldKind::live;
    const bool several = options.locks > 1 || (options.topology && options.topology->masters > 1);
    FaultBudget budget;
    for (const HazardRow& row : kSimulatedHazards) {
        if (row.hazard == Hazard::contention || !applies(algorithm, row.hazard)) continue;
        if (!is_made_in(live ? FaultWorld::live : FaultWorld::simulator, row.hazard)) continue;
        // A foreign server must not be disturbed.
        if (!options.redis.empty() && kSharedHazards.contains(row.hazard)) continue;
        if (several && row.hazard == Hazard::failover) continue;
        budget[row.hazard] = 1;
    }
    return budget;
}

/// Leaves out TTLs that do not fit the options.
std::vector<Duration> ttls_for(const Algorithm& algorithm, CampaignOptions options,
                               Duration usual) {
    const bool live = options.world == WorldKind::live;
    const auto percents = live ? std::span<const int>(kLivePercents) : kSimPercents;
    std::vector<Duration> ttls;
    for (const int percent : percents) {
        options.ttl = usual * percent / 100;
        try {
            spec_for(algorithm, options);
        } catch (const UsageError&) {
            continue;
        }
        ttls.push_back(*options.ttl);
    }
    return ttls;
}

}  // namespace

Swarm swarm_for(const Algorithm& algorithm, const CampaignOptions& options) {
    CampaignOptions whole = options;
    if (options.every_fault) whole.budget = all_faults(algorithm, options);
    Swarm swarm;
    swarm.whole = spec_for(algorithm, whole);
    swarm.ttls = ttls_for(algorithm, whole, swarm.whole.scale);
    swarm.of_run = [&algorithm, whole, ttls = swarm.ttls](std::uint64_t run, std::uint64_t batch) {
        RandomChoices own(whole.seed ^ kDrawStream, run);
        RandomChoices shared(whole.seed ^ kBatchStream, batch);
        CampaignOptions drawn = whole;
        drawn.ttl = ttls[own.pick(ChoiceKind::workload, static_cast<std::uint32_t>(ttls.size()))];
        const std::uint32_t least = least_clients(algorithm);
        drawn.clients = least + own.pick(ChoiceKind::workload, whole.clients - least + 1);
        for (const HazardRow& row : kSimulatedHazards) {
            RandomChoices& choices = kSharedHazards.contains(row.hazard) ? shared : own;
            if (choices.pick(ChoiceKind::fault, 2) == 0) drawn.budget[row.hazard] = 0;
        }
        RunSpec spec = spec_for(algorithm, drawn);
        spec.drawn = true;
        return spec;
    };
    return swarm;
}

}  // namespace locklab
