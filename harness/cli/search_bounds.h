// What `locklab explore` is asked to search: bounds and sets of faults.
#pragma once

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/core/lock.h"
#include "harness/explore/bounds.h"

namespace locklab {

/// The searches that the line asks for, of the lock's own if it asks for none. No faults yet.
/// Throws UsageError.
std::vector<Bounds> searches_of(const CommandLine& line, const Algorithm& algorithm);

/// The sets of faults that the line asks about; without any, what the lock claims to survive.
/// Throws UsageError.
std::vector<FaultBudget> faults_of(const CommandLine& line, const Algorithm& algorithm);

}  // namespace locklab
