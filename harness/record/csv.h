// Tidy CSV from rows of JSON: one row a line, nested keys joined by '_', units in the names.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace locklab {

/// `rows` is an array of objects. The columns are those of all rows, in the order in which they
/// first occur; what a row has not is empty, and so is null. Lists are joined by ';'. Text is
/// quoted where RFC 4180 asks for it.
std::string to_csv(const nlohmann::ordered_json& rows);

}  // namespace locklab
