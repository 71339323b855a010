// Traces of scenarios and searches, played on driver processes.
#pragma once

#include "harness/cli/command_line.h"

namespace locklab {

/// `locklab replay TRACE --algorithm lib:NAME --world live`. `line` is parsed.
int replay_on_drivers(const CommandLine& line);

}  // namespace locklab
