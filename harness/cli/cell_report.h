// What is said of one campaign cell, in words and in JSON, wherever it was run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"

namespace locklab {

/// Their names, in report order.
nlohmann::ordered_json names_in(const HazardSet& hazards);

/// {"least_percent_of_ttl": 20, "most_percent_of_ttl": 300, "both_ways": false}; null where a fault
/// has no size.
nlohmann::ordered_json amount_json(Hazard hazard);
/// "20 to 300 % of the TTL, ahead or back"; empty where a fault has no size.
std::string amount_text(Hazard hazard);

/// The keys of the campaign contract (design section 6), and more. `replay` may be empty.
nlohmann::ordered_json cell_json(const RunSpec& spec, const CampaignCount& count,
                                 const std::string& replay);

/// Some lines: the verdict, what was counted, why, and the replay command.
std::string cell_text(const RunSpec& spec, const CampaignCount& count, const std::string& replay);

}  // namespace locklab
