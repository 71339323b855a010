#include "harness/record/hazard_json.h"

#include "harness/check/baseline.h"

namespace locklab {

std::vector<std::string> names_in(const HazardSet& hazards) {
    std::vector<std::string> names;
    for (const HazardRow& row : kHazards) {
        if (hazards.contains(row.hazard)) names.emplace_back(row.name);
    }
    return names;
}

nlohmann::ordered_json amount_json(Hazard hazard) {
    const FaultAmounts amounts = row_of(hazard).amounts;
    if (amounts.most == 0) return nullptr;
    return {{"least_percent_of_ttl", amounts.least},
            {"most_percent_of_ttl", amounts.most},
            {"both_ways", amounts.both_ways}};
}

nlohmann::ordered_json baseline_json(Hazard hazard) {
    if (!is_baseline(hazard, {})) return nullptr;
    nlohmann::ordered_json baseline{{"why", why_baseline(hazard, {})}, {"unless", nullptr}};
    if (!is_baseline(hazard, {.renews = true})) baseline["unless"] = "renews";
    if (!is_baseline(hazard, {.checks_clocks = true})) baseline["unless"] = "checks_clocks";
    return baseline;
}

}  // namespace locklab
