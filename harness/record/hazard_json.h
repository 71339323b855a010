// Hazards as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/core/hazard.h"

namespace locklab {

/// Their names, in report order.
std::vector<std::string> names_in(const HazardSet& hazards);

/// {"least_percent_of_ttl": 20, "most_percent_of_ttl": 300, "both_ways": false}; null for a fault
/// without a size.
nlohmann::ordered_json amount_json(Hazard hazard);

/// Why the hazard breaks every lease (check/baseline.h): {"why": "A lease that ...", "unless":
/// "renews"}; null if it does not; `unless` is null if no lock is an exception.
nlohmann::ordered_json baseline_json(Hazard hazard);

}  // namespace locklab
