// The fault threshold table: for each lock the least that breaks it, and what was verified.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/cli/explore_report.h"
#include "harness/explore/thresholds.h"

namespace locklab {

std::string thresholds_text(const Thresholds& found);

/// The witness of each minimal set, played on the stage, which must see what the search has found,
/// and written into the folder. Throws FileError, and std::runtime_error.
std::vector<Explored> threshold_witnesses(const Thresholds& found,
                                          const std::filesystem::path& folder);

/// One row for each minimal set, with these witnesses.
nlohmann::ordered_json thresholds_json(const Thresholds& found,
                                       const std::vector<Explored>& witnesses);

/// One row for each set of faults in an array of these, whatever came of it: for tables.
nlohmann::ordered_json threshold_sets(const nlohmann::ordered_json& found);

}  // namespace locklab
