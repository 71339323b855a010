// The options that say how a campaign runs.
#pragma once

#include "harness/campaign/campaign_spec.h"
#include "harness/cli/command_line.h"

namespace locklab {

/// --world, --seed, --faults, --ttl, ...
OptionList campaign_option_list();
/// Throws UsageError.
CampaignOptions campaign_options(const CommandLine& line);
/// The same, whatever the world can have: for who asks that itself.
CampaignOptions campaign_options_of_any_world(const CommandLine& line);
/// The same where world and faults are named in another way.
CampaignOptions campaign_options_in(const CommandLine& line, WorldKind world,
                                    const std::string& faults);

/// --wait. Throws UsageError.
WaitPolicy::Kind wait_option(const CommandLine& line);

}  // namespace locklab
