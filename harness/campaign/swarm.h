// Swarm testing (Groce, Zhang, Eide, Chen and Regehr, ISSTA 2012): each run of a campaign has a
// random subset of the faults, and its own number of clients and TTL. What some faults together
// hide, or make likely, others do not prevent.
#pragma once

#include <vector>

#include "harness/campaign/campaign_spec.h"

namespace locklab {

/// Faults that befall a server which live runs share.
inline constexpr HazardSet kSharedHazards =
    hazards_where([](const HazardRow& row) { return row.target == FaultTarget::node; });

struct Swarm {
    RunSpec whole;  ///< every fault, the most clients, the TTL that others are parts of
    std::vector<Duration> ttls;  ///< that runs have
    SpecOfRun of_run;            ///< follows from the campaign's seed and the run's number
};

/// Faults: those of the budget, or else all that the lock and the world can take. Clients: two up
/// to as many as the options say. TTL: a quarter to four times the usual one, live half to twice;
/// what the lock's clock unit or the bounds do not allow is left out. Throws UsageError where the
/// options do not fit together.
Swarm swarm_for(const Algorithm& algorithm, const CampaignOptions& options);

}  // namespace locklab
