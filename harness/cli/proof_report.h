// What is said of the searches behind a verdict: their bounds, what was asked, what they exercised.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/cli/explore_report.h"

namespace locklab {

/// What the verdict speaks of, a line for each: of a witness its search, else all searches.
std::string bounds_text(const Explored& explored);
/// The faults; for several sets of them, what came of each.
std::string claims_text(const Explored& explored);
/// What a proof rests on.
std::string coverage_text(const Explored& explored);

/// Of a search, as people read it: 2 clients, 1 round, 3 attempts.
std::string search_text(const Bounds& bounds);
/// Of a search: clients, rounds, attempts, and what else its bounds say.
nlohmann::ordered_json search_json(const Bounds& bounds);
nlohmann::ordered_json coverage_json(const Coverage& coverage);
/// What was exercised; each set of faults that was asked about, each search that it was put to, and
/// what that showed.
void add_proofs(const Explored& explored, nlohmann::ordered_json& json);

}  // namespace locklab
