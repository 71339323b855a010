// The names of a suite's sections and libraries, as --sections, --remake and --libraries take them,
// and the columns of the table of libraries, as --faults takes them.
#pragma once

#include <string>
#include <vector>

#include "harness/core/fault_budget.h"

namespace locklab {

/// The text of --help for --sections.
std::string of_sections();

/// The sections of a list like "campaigns,surface". Throws UsageError for an unknown word.
std::vector<std::string> sections_in(const std::string& list);

/// The libraries of a list like "redis-py,lib:redsync". Throws UsageError for one that is not
/// installed.
std::vector<std::string> libraries_in(const std::string& list);

/// The columns of a list like "pause=1;retry=1", each a set of faults. Throws UsageError for a
/// fault that no library can have.
std::vector<FaultBudget> columns_in(const std::string& list);

}  // namespace locklab
