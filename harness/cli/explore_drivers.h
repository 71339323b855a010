// `locklab explore lib:NAME` and `explore driver:A`: search of driver processes in virtual time.
#pragma once

#include "harness/cli/command_line.h"

namespace locklab {

/// The line's operand names drivers. `arguments` tell typed options from defaults.
int explore_drivers(const CommandLine& line, const Arguments& arguments);

}  // namespace locklab
