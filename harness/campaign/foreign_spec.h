// The specification of runs of driver processes, from the options of a campaign.
#pragma once

#include "harness/campaign/campaign_spec.h"
#include "harness/core/run_spec.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// The run specification for a subject, under a budget of its own. Missing options have values that
/// suit processes. Throws UsageError for a TTL that the subject does not take.
RunSpec spec_for(const Subject& subject, CampaignOptions options, const FaultBudget& budget);

/// The budget for one hazard alone, in many runs.
FaultBudget budget_for(Hazard hazard);

}  // namespace locklab
