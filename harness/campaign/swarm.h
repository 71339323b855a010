// Swarm testing (Groce, Zhang, Eide, Chen and Regehr, ISSTA 2012): each run of a campaign has a
// random subset of the faults, and its own number of clients and TTL. So failures that some faults
// together hide, or make unlikely, can still show.
#pragma once

#include <vector>

#include "harness/campaign/campaign_spec.h"

namespace locklab {

/// Faults of a server, which live runs share.
inline constexpr HazardSet kSharedHazards =
    hazards_where([](const HazardRow& row) { return strikes_whole_server(row.hazard); });

/// Whether the fault of one live run strikes its whole batch. Then the share of broken runs says
/// little.
constexpr bool is_one_of_a_batch(Hazard hazard) {
    return kSharedHazards.contains(hazard) && !takes_over(hazard);
}

struct Swarm {
    RunSpec whole;               ///< every fault, the most clients, the usual TTL
    std::vector<Duration> ttls;  ///< the possible TTLs of runs
    SpecOfRun of_run;            ///< follows from the campaign's seed and the run's number
};

/// Faults: those of the budget, or all that the lock and the world can have. Clients: from two, or
/// as many as the lock needs, up to the option. TTL: a quarter to four times the usual one, live
/// half to twice, except values that the lock's clock unit or the bounds do not allow. Throws
/// UsageError if the options do not fit together.
Swarm swarm_for(const Algorithm& algorithm, const CampaignOptions& options);

}  // namespace locklab
