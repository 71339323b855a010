#include "harness/record/hazard_json.h"

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

}  // namespace locklab
