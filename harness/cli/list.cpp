// locklab list: everything that can be run, from the registries, so that it cannot drift.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/cli/command_line.h"
#include "harness/cli/library_table.h"
#include "harness/cli/progress.h"
#include "harness/core/nearest.h"
#include "harness/core/topology.h"
#include "harness/foreign/library_json.h"
#include "harness/play/scenario_library.h"
#include "harness/record/algorithm_json.h"
#include "harness/record/hazard_json.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

/// For each world: null if the fault can be made there, else why not.
Json worlds_json(Hazard hazard) {
    Json json;
    for (const FaultWorldRow& world : kFaultWorldRows) {
        const std::string_view why = why_not_in(world.world, hazard);
        json[std::string(world.name)] = why.empty() ? Json() : Json(why);
    }
    return json;
}

Json everything() {
    Json list;
    list["algorithms"] = Json::array();
    for (const Algorithm* algorithm : every_algorithm()) {
        Json row{{"name", algorithm->name},
                 {"label", algorithm->label},
                 {"idea", algorithm->idea},
                 {"source", algorithm->source},
                 {"in_all", is_in_suite(*algorithm)}};
        row.update(facts_json(*algorithm));
        row["safe_under"] = names_in(algorithm->safe_under);
        row["broken_by"] = names_in(algorithm->broken_by);
        list["algorithms"].push_back(std::move(row));
    }
    list["libraries"] = Json::array();
    for (const Library& library : usable_libraries(tell_on_stderr)) {
        list["libraries"].push_back(library_json(library));
    }
    list["scenarios"] = Json::array();
    for (const Scenario& scenario : scenarios_named("all")) {
        list["scenarios"].push_back(
            {{"name", scenario.name}, {"title", scenario.title}, {"hits", scenario.hits}});
    }
    list["faults"] = Json::array();
    for (const HazardRow& row : kHazards) {
        list["faults"].push_back({{"name", row.name},
                                  {"meaning", row.meaning},
                                  {"live", is_made_in(FaultWorld::live, row.hazard)},
                                  {"worlds", worlds_json(row.hazard)},
                                  {"amount", amount_json(row.hazard)},
                                  {"baseline", baseline_json(row.hazard)}});
    }
    list["topologies"] = Json::array();
    for (const TopologyRow& row : kTopologies) {
        list["topologies"].push_back({{"name", row.name}, {"meaning", row.meaning}});
    }
    return list;
}

using Rows = std::vector<std::pair<std::string, std::string>>;

/// Names, and their meanings in a column after the longest name.
void print_rows(std::string_view head, const Rows& rows) {
    std::size_t width = 0;
    for (const auto& [name, text] : rows) width = std::max(width, name.size());
    std::cout << head << ":\n";
    for (const auto& [name, text] : rows) {
        std::cout << "  " << name << std::string(width + 2 - name.size(), ' ') << text << "\n";
    }
}

void print_algorithms() {
    Rows rows;
    for (const Algorithm* algorithm : every_algorithm()) {
        rows.emplace_back(algorithm->name, std::string(algorithm->source) + ": " +
                                               std::string(algorithm->label) +
                                               (is_in_suite(*algorithm) ? "" : " (not in all)"));
    }
    print_rows("Algorithms (article: idea)", rows);
}

void print_scenarios() {
    Rows rows;
    for (const Scenario& scenario : scenarios_named("all")) {
        rows.emplace_back(scenario.name, scenario.title);
    }
    print_rows("Scenarios (locklab scenario NAME)", rows);
}

/// "20 to 300 % of the TTL, ahead or back"; empty for a fault without a size.
std::string amount_text(Hazard hazard) {
    const FaultAmounts amounts = row_of(hazard).amounts;
    if (amounts.most == 0) return {};
    return std::to_string(amounts.least) + " to " + std::to_string(amounts.most) + " % of the TTL" +
           (amounts.both_ways ? ", ahead or back" : "");
}

/// " (not in searches, live campaigns: why)"; empty if the fault can be made everywhere.
std::string not_made_text(Hazard hazard) {
    std::string text;
    std::string_view last;
    for (const FaultWorldRow& world : kFaultWorldRows) {
        const std::string_view why = why_not_in(world.world, hazard);
        if (why.empty()) continue;
        const bool is_the_same = why == last;
        if (!text.empty() && !is_the_same) text += ": " + std::string(last);
        text += text.empty() ? " (not in " : is_the_same ? ", " : "; not in ";
        text += world.meaning;
        last = why;
    }
    return text.empty() ? "" : text + ": " + std::string(last) + ")";
}

void print_faults() {
    Rows rows;
    for (const HazardRow& row : kHazards) {
        const std::string amount = amount_text(row.hazard);
        rows.emplace_back(row.name, std::string(row.meaning) +
                                        (amount.empty() ? "" : ": " + amount) +
                                        not_made_text(row.hazard));
    }
    print_rows("Faults and hazards (--faults NAME=COUNT,...)", rows);
}

void print_topologies() {
    Rows rows;
    for (const TopologyRow& row : kTopologies) rows.emplace_back(row.name, row.meaning);
    print_rows("Topologies (--topology NAME)", rows);
}

}  // namespace

int list_verb(const Arguments& arguments) {
    CommandLine line("list", {}, 1);
    if (!line.parse(arguments)) return kExitHolds;
    const std::string what = line.operands().empty() ? "all" : line.operands()[0];
    const std::vector<std::string_view> known{"algorithms", "libraries", "scenarios", "faults",
                                              "topologies"};
    if (what != "all" && std::find(known.begin(), known.end(), what) == known.end()) {
        throw UsageError(unknown_word("list", what, known));
    }
    if (line.json()) {
        std::cout << everything().dump(2) << "\n";
        return kExitHolds;
    }
    if (what == "all" || what == "algorithms") print_algorithms();
    if (what == "all" || what == "libraries") {
        print_libraries(usable_libraries(tell_on_stderr));
    }
    if (what == "all" || what == "scenarios") print_scenarios();
    if (what == "all" || what == "faults") print_faults();
    if (what == "all" || what == "topologies") print_topologies();
    return kExitHolds;
}

}  // namespace locklab
