// A part of a random search as JSON: what a merge needs. The witness is walked again.
#pragma once

#include <string>

#include "harness/explore/random_search.h"

namespace locklab {

std::string to_text(const RandomResult& result);
/// Throws FormatError, or what nlohmann::json throws.
RandomResult random_result_in(const std::string& text);

}  // namespace locklab
