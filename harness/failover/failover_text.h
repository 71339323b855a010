// The measured cells as text.
#pragma once

#include <span>
#include <string>

#include "harness/failover/failover_count.h"

namespace locklab {

/// What was done, a line for each cell, and what there is to say besides.
std::string failover_table(std::span<const FailoverCount> counts);
/// One line for a cell, as progress.
std::string failover_line(const FailoverCount& count);

}  // namespace locklab
