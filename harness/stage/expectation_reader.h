// Reads what a scenario expects of the algorithms.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/stage/script.h"
#include "harness/stage/yaml_tree.h"

namespace locklab {

/// The value of the key `expect`, one expectation for each algorithm, in the file's order. Throws
/// ScenarioError.
std::vector<Expectation> read_expectations(const YamlFile& file, const YamlNode& node,
                                           std::span<const std::string_view> cast,
                                           std::span<const std::string_view> algorithms);

}  // namespace locklab
