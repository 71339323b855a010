// Simulator against real Redis, cell by cell, and why where they differ.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/cli/suite.h"

namespace locklab {

/// One object for each cell that both worlds ran: algorithm, hazard, sim and live verdict,
/// whether they agree, and, where not, a sentence that says why.
nlohmann::ordered_json agreement_json(const std::vector<SuiteCell>& cells);

}  // namespace locklab
