// Compares simulator and real Redis cell by cell, with reasons for differences.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/cell_row.h"

namespace locklab {

/// A cell that both worlds ran.
struct AgreementRow {
    std::string algorithm;
    Hazard hazard = kNoFault;
    Verdict sim = Verdict::unknown;
    Verdict live = Verdict::unknown;
    bool decided = false;  ///< both have a verdict
    bool agree = false;    ///< the verdicts agree
    /// Probability of such a difference if both worlds are alike; none if it is not known, as for
    /// runs that are not independent.
    std::optional<double> chance;
    bool explained = false;  ///< chance gives it often enough
    std::string why;         ///< what was seen, if they do not agree
};

std::vector<AgreementRow> agreement_of(const std::vector<SuiteCellRow>& sim_cells,
                                       const std::vector<SuiteCellRow>& live_cells);

nlohmann::ordered_json to_json(const AgreementRow& row);

}  // namespace locklab
