// locklab list: what there is to run, from the registries, so that it cannot drift.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/cli/cell_report.h"
#include "harness/cli/command_line.h"
#include "harness/cli/scenario_library.h"
#include "harness/core/nearest.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

Json everything() {
    Json list;
    list["algorithms"] = Json::array();
    for (const Algorithm& algorithm : algorithms()) {
        list["algorithms"].push_back({{"name", algorithm.name},
                                      {"label", algorithm.label},
                                      {"idea", algorithm.idea},
                                      {"source", algorithm.source},
                                      {"safe_under", names_in(algorithm.safe_under)},
                                      {"broken_by", names_in(algorithm.broken_by)}});
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
                                  {"live", row.live},
                                  {"amount", amount_json(row.hazard)}});
    }
    return list;
}

void print_row(std::string_view name, std::string_view text) {
    std::cout << "  " << name << std::string(name.size() < 22 ? 22 - name.size() : 1, ' ') << text
              << "\n";
}

void print_algorithms() {
    std::cout << "Algorithms (article: idea):\n";
    for (const Algorithm& algorithm : algorithms()) {
        print_row(algorithm.name,
                  std::string(algorithm.source) + ": " + std::string(algorithm.label));
    }
}

void print_scenarios() {
    std::cout << "Scenarios (locklab scenario NAME):\n";
    for (const Scenario& scenario : scenarios_named("all")) {
        print_row(scenario.name, scenario.title);
    }
}

void print_faults() {
    std::cout << "Faults and hazards (--faults NAME=COUNT,...):\n";
    for (const HazardRow& row : kHazards) {
        const std::string amount = amount_text(row.hazard);
        print_row(row.name, std::string(row.meaning) + (amount.empty() ? "" : ": " + amount) +
                                (row.live ? "" : " (sim only)"));
    }
}

}  // namespace

int list_verb(const Arguments& arguments) {
    CommandLine line("list", po::options_description("Options"), 1);
    if (!line.parse(arguments)) return kExitHolds;
    const std::string what = line.operands().empty() ? "all" : line.operands()[0];
    const std::vector<std::string_view> known{"algorithms", "scenarios", "faults"};
    if (what != "all" && std::find(known.begin(), known.end(), what) == known.end()) {
        throw UsageError(unknown_word("list", what, known));
    }
    if (line.json()) {
        std::cout << everything().dump(2) << "\n";
        return kExitHolds;
    }
    if (what == "all" || what == "algorithms") print_algorithms();
    if (what == "all" || what == "scenarios") print_scenarios();
    if (what == "all" || what == "faults") print_faults();
    return kExitHolds;
}

}  // namespace locklab
