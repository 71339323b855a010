// Judgements as JSON. Keys are a contract: more may be added, none renamed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/check/judge.h"
#include "harness/check/tally.h"

namespace locklab {

/// What a tally is of.
struct Cell {
    std::string algorithm;
    nlohmann::ordered_json hazards;
    std::string replay;  ///< the command that repeats it
};

/// One row of a campaign. An interval that nothing bounds from above has null as `high`.
nlohmann::ordered_json campaign_json(const Cell& cell, const Tally& tally);

/// One run, with its first violations.
nlohmann::ordered_json judgement_json(const Judgement& judgement);

/// Every cause, also those that did not occur.
nlohmann::ordered_json causes_json(const CauseCounts& causes);

}  // namespace locklab
