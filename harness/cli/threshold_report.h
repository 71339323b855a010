// The fault threshold table: for each lock the least that breaks it, and what was verified.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/explore/thresholds.h"

namespace locklab {

std::string thresholds_text(const Thresholds& found);

/// One row for each minimal set. Their witnesses are played on the stage, which must see what the
/// search has found, and written into the folder. Throws FileError, and std::runtime_error.
nlohmann::ordered_json thresholds_json(const Thresholds& found,
                                       const std::filesystem::path& folder);

/// One row for each set of faults in an array of these, whatever came of it: for tables.
nlohmann::ordered_json threshold_sets(const nlohmann::ordered_json& found);

}  // namespace locklab
