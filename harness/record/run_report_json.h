// A run of a campaign as a line of JSON: all that counting it needs, so that a run that another
// process made counts as if it had been made here.
#pragma once

#include <string>

#include "harness/check/made_run.h"

namespace locklab {

/// One line, without what is as in an empty report.
std::string to_line(const MadeRun& made);
/// Throws FormatError, or what nlohmann::json throws.
MadeRun made_run_in(const std::string& line);

}  // namespace locklab
