// The text of one campaign cell, in any world.
#pragma once

#include <string>

#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// A few lines: the verdict, the counts, the causes, and the replay command, which may be empty.
/// `had_fences`: there were fencing tokens, or writes, to check.
std::string cell_text(const RunSpec& spec, const CampaignCount& count, const std::string& replay,
                      bool had_fences = true);

}  // namespace locklab
