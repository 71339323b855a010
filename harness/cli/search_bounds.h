// Input of `locklab explore`: bounds and sets of faults.
#pragma once

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/core/lock.h"
#include "harness/explore/bounds.h"

namespace locklab {

/// The searches that the line asks for, else the lock's default ones. Without faults. Throws
/// UsageError.
std::vector<Bounds> searches_of(const CommandLine& line, const Algorithm& algorithm);

/// The sets of faults that the line asks about, else those that the lock claims to survive. Throws
/// UsageError.
std::vector<FaultBudget> faults_of(const CommandLine& line, const Algorithm& algorithm);

}  // namespace locklab
