#include "harness/record/swarm_json.h"

#include "harness/record/hazard_json.h"

namespace locklab {

namespace {

using SwarmJson = nlohmann::ordered_json;

void add_counts(SwarmJson& object, const SwarmCount::Row& row) {
    object["runs"] = row.runs;
    object["violated"] = row.violated;
    object["stuck"] = row.stuck;
    object["causes"] = SwarmJson::object();
    for (const CauseRow& cause : kCauses) {
        const std::uint64_t runs = row.causes[cause.cause];
        if (runs > 0) object["causes"][std::string(cause.name)] = runs;
    }
}

SwarmJson with_counts(SwarmJson object, const SwarmCount::Row& row) {
    add_counts(object, row);
    return object;
}

SwarmJson fault_json(const HazardRow& hazard, const SwarmCount::FaultRow& row) {
    SwarmJson object = with_counts({{"fault", hazard.name}}, row.with);
    object["struck"] = row.struck;
    object["without"] = with_counts(SwarmJson::object(), row.without);
    return object;
}

}  // namespace

nlohmann::ordered_json to_json(const SwarmCount& swarm, const FaultBudget& budget) {
    const SwarmJson none = SwarmJson::array();
    SwarmJson object{{"faults", none}, {"clients", none}, {"ttls", none}, {"subsets", none}};
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        object["faults"].push_back(fault_json(row, swarm.of(row.hazard)));
    }
    for (const auto& [clients, row] : swarm.clients()) {
        object["clients"].push_back(with_counts({{"clients", clients}}, row));
    }
    for (const auto& [ttl, row] : swarm.ttls()) {
        object["ttls"].push_back(with_counts({{"ttl_us", us(ttl)}}, row));
    }
    for (const auto& [subset, row] : swarm.subsets()) {
        object["subsets"].push_back(with_counts({{"faults", names_in(hazards_in(subset))}}, row));
    }
    object["fewest_struck"] = nullptr;
    if (const auto& fewest = swarm.fewest()) {
        object["fewest_struck"] = {{"run", fewest->run}, {"faults", names_in(fewest->struck)}};
    }
    return object;
}

}  // namespace locklab
