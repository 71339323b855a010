// What is said of one campaign cell, in words and in JSON, wherever it was run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// Their names, in report order.
nlohmann::ordered_json names_in(const HazardSet& hazards);

/// The keys of the campaign contract (design section 6), and more. `replay` may be empty.
nlohmann::ordered_json cell_json(const RunSpec& spec, const CampaignCount& count,
                                 const std::string& replay);

/// Some lines: the verdict, what was counted, why, and the replay command.
std::string cell_text(const RunSpec& spec, const CampaignCount& count, const std::string& replay);

}  // namespace locklab
