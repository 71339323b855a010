// Finds algorithms by the names that users type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/lock.h"

namespace locklab {

/// The algorithm of this name. Throws UsageError with the nearest name, or with the lock that is
/// like a library of this name.
const Algorithm& require_algorithm(std::string_view name);

/// The algorithms that an operand names: one, or with "all" those of the suite. Throws UsageError.
std::vector<const Algorithm*> algorithms_named(const std::string& operand);

/// Names of all algorithms.
std::vector<std::string_view> algorithm_names();

}  // namespace locklab
