// locklab campaign libraries: every installed library under every fault, as one table.
#pragma once

#include "harness/cli/command_line.h"

namespace locklab {

/// Throws UsageError.
int campaign_of_libraries(const CommandLine& line, const Arguments& arguments);

}  // namespace locklab
