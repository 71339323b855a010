// What is said of one campaign cell, in words, wherever it was run.
#pragma once

#include <string>

#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// Some lines: the verdict, what was counted, why, and the replay command, which may be empty.
/// `had_fences`: there were fencing tokens, or writes, to look at.
std::string cell_text(const RunSpec& spec, const CampaignCount& count, const std::string& replay,
                      bool had_fences = true);

}  // namespace locklab
