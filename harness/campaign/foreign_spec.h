// How a run of driver processes is, by the options of a campaign.
#pragma once

#include "harness/campaign/campaign_spec.h"
#include "harness/core/run_spec.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// What the options make of a subject, under a budget of its own. An option that is not given has
/// what suits a process. Throws UsageError for a TTL that the subject does not take.
RunSpec spec_for(const Subject& subject, CampaignOptions options, const FaultBudget& budget);

/// The budget under which one hazard is looked at alone, in many runs.
FaultBudget budget_for(Hazard hazard);

}  // namespace locklab
