// A lock's row in the registry, without its names and claims.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/core/lock.h"

namespace locklab {

nlohmann::ordered_json facts_json(const Algorithm& algorithm);

}  // namespace locklab
