// What a row of the registry says of a lock, beside its names and its claims.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/core/lock.h"

namespace locklab {

nlohmann::ordered_json facts_json(const Algorithm& algorithm);

}  // namespace locklab
