// Fault budgets as people type them: pause=1,crash=2, or none.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/fault.h"

namespace locklab {

/// Throws std::invalid_argument with one sentence that names the offending word and what would
/// be right.
FaultBudget parse_faults(std::string_view text);

/// As parse_faults reads it, in report order.
std::string to_string(const FaultBudget& budget);

}  // namespace locklab
