// Campaigns of locks that run as driver processes: libraries, and our own as drivers.
#pragma once

#include <string_view>

#include "harness/cli/command_line.h"

namespace locklab {

/// "lib:NAME", "libraries", and "driver:NAME": one of our own locks, as a driver.
bool names_drivers(std::string_view operand);

/// `locklab campaign` of these. `line` is parsed; `arguments` are those that were.
int campaign_of_drivers(const CommandLine& line, const Arguments& arguments);

}  // namespace locklab
