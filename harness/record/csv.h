// Tidy CSV from rows of JSON: one row a line, nested keys joined by '_', units in the names.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace locklab {

/// `rows` is an array of objects. The columns are the keys of all rows, in order of first
/// appearance; missing values and null are empty. Lists are joined by ';'. Text is quoted as RFC
/// 4180 requires.
std::string to_csv(const nlohmann::ordered_json& rows);

}  // namespace locklab
