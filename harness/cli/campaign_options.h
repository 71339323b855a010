// The options of campaigns.
#pragma once

#include "harness/campaign/campaign_spec.h"
#include "harness/cli/command_line.h"

namespace locklab {

/// --world, --seed, --faults, --ttl, ...
OptionList campaign_option_list();
/// Throws UsageError.
CampaignOptions campaign_options(const CommandLine& line);
/// The same without checks of the world: for callers that do these themselves.
CampaignOptions campaign_options_of_any_world(const CommandLine& line);
/// The same, with world and faults named in another way.
CampaignOptions campaign_options_in(const CommandLine& line, WorldKind world,
                                    const std::string& faults);

/// --wait. Throws UsageError.
WaitPolicy::Kind wait_option(const CommandLine& line);

}  // namespace locklab
