// Simulator against real Redis, cell by cell, and why where they differ.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
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
    bool decided = false;  ///< both came to a verdict
    bool agree = false;    ///< to the same
    /// How likely such a difference is if both worlds are alike, from runs that are; none where
    /// that is not known.
    std::optional<double> chance;
    bool explained = false;  ///< chance gives it often enough
    std::string why;         ///< what was seen, where they do not agree
};

std::vector<AgreementRow> agreement_of(const std::vector<SuiteCellRow>& sim_cells,
                                       const std::vector<SuiteCellRow>& live_cells);

nlohmann::ordered_json to_json(const AgreementRow& row);

}  // namespace locklab
