// Campaigns of locks that run as driver processes: libraries, and our own locks as drivers.
#pragma once

#include "harness/cli/command_line.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// `locklab campaign` for these. `line` is parsed from `arguments`.
int campaign_of_drivers(const CommandLine& line, const Arguments& arguments);

}  // namespace locklab
