// Simulator against real Redis, cell by cell, and why where they differ.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/suite/cell_row.h"

namespace locklab {

/// Of a cell that both worlds ran.
struct AgreementRow {
    std::string algorithm;
    Hazard hazard = kNoFault;
    Verdict sim = Verdict::unknown;
    Verdict live = Verdict::unknown;
    bool agree = false;
    std::string why;  ///< a sentence, where they do not
};

std::vector<AgreementRow> agreement_of(const std::vector<SuiteCellRow>& sim_cells,
                                       const std::vector<SuiteCellRow>& live_cells);

nlohmann::ordered_json to_json(const AgreementRow& row);

}  // namespace locklab
