// Scenarios, played on driver processes: libraries, and our own locks as drivers.
#pragma once

#include <vector>

#include "harness/cli/command_line.h"
#include "harness/stage/script.h"

namespace locklab {

/// `locklab scenario` for these, in the live world. `line` is parsed.
int scenario_of_drivers(const CommandLine& line, const std::vector<Scenario>& scenarios,
                        std::uint64_t repeat, Duration ttl);

}  // namespace locklab
