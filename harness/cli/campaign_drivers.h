// Campaigns of locks that run as driver processes: libraries, and our own as drivers.
#pragma once

#include "harness/cli/command_line.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// `locklab campaign` of these. `line` is parsed; `arguments` are those that were.
int campaign_of_drivers(const CommandLine& line, const Arguments& arguments);

}  // namespace locklab
