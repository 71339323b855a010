// Simulator against real Redis, cell by cell, and why where they differ.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace locklab {

/// Cells as suite.json has them. One object for each that both worlds ran: algorithm, hazard, sim
/// and live verdict, whether they agree, and, where not, a sentence that says why.
nlohmann::ordered_json agreement_json(const nlohmann::ordered_json& sim_cells,
                                      const nlohmann::ordered_json& live_cells);

}  // namespace locklab
