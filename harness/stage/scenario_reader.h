// Reads scenario files.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stage/script.h"

namespace locklab {

/// "FILE:LINE:COLUMN: one sentence" that names the offending word and the nearest valid one.
class ScenarioError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Reads one scenario. `file` is its name in messages, and its stem is the scenario's name.
/// `algorithms` are the names that expectations may use. Throws ScenarioError.
Scenario read_scenario(std::string_view text, const std::string& file,
                       const std::vector<std::string_view>& algorithms);

/// Every *.yaml of the folder, by name. Throws ScenarioError for a bad file, and for a folder that
/// is unreadable or has none.
std::vector<Scenario> read_scenarios(const std::filesystem::path& folder,
                                     const std::vector<std::string_view>& algorithms);

}  // namespace locklab
