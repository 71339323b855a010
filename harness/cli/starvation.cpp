#include "harness/cli/starvation.h"

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/search_bounds.h"
#include "harness/core/fault_text.h"
#include "harness/core/usage_error.h"
#include "harness/play/starved.h"
#include "harness/suite/starved_row.h"

namespace locklab {

namespace {

/// The verdict that counts, of two locks.
Verdict graver(Verdict a, Verdict b) { return is_graver(a, b) ? a : b; }

Bounds bounds_of(const CommandLine& line, const Algorithm& algorithm) {
    Bounds bounds = starvation_bounds(algorithm);
    const Bounds asked = searches_of(line, algorithm)[0];
    if (line.has("clients")) bounds.clients = asked.clients;
    bounds.servers = asked.servers;
    bounds.any_length = asked.any_length;
    if (line.has("faults")) bounds.faults = faults_of(line, algorithm)[0];
    return bounds;
}

void check_faults(const CommandLine& line) {
    if (!line.has("faults")) return;
    const FaultBudget faults = parse_faults(line.get("faults"));
    std::string known;
    for (const HazardRow& row : kHazards) {
        if (may_starve(row.hazard)) known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0 || may_starve(row.hazard)) continue;
        throw UsageError("--starvation does not take " + std::string(row.name) +
                         ", after which states are not compared; right would be one of " + known);
    }
}

}  // namespace

void check_starvation(const CommandLine& line) {
    static constexpr std::array<const char*, 15> kOthers{
        "rounds",  "attempts", "leaves",     "again",      "outage",
        "timeout", "latency",  "client-ttl", "client-job", "client-mode",
        "mermaid", "svg",      "count",      "thresholds", "probability"};
    for (const char* option : kOthers) {
        if (!line.has(option)) continue;
        throw UsageError("--" + std::string(option) +
                         " does not go with --starvation, where rounds and tries have no end; "
                         "right would be --clients, --topology or --lengths");
    }
    if (line.has("client-renewal")) {
        throw UsageError("--client-renewal does not go with --starvation; right would be without");
    }
    check_faults(line);
    if (line.get("strategy") != "exhaustive") {
        throw UsageError(
            "--starvation is looked for in every state; right would be --strategy "
            "exhaustive");
    }
}

int show_starvation(const CommandLine& line, const std::vector<const Algorithm*>& locks,
                    const std::filesystem::path& traces) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    Verdict gravest = Verdict::holds;
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    for (const Algorithm* lock : locks) {
        if (watcher.stopped()) break;
        const Starved starved =
            explore_starvation(*lock, bounds_of(line, *lock), StarvationLimits(), traces, watcher);
        progress.clear();
        gravest = graver(gravest, starved.found.verdict);
        all.push_back(to_json(starved_row(starved)));
        if (!line.json()) std::cout << starved_text(starved) << std::flush;
    }
    if (line.json()) {
        nlohmann::ordered_json json;
        if (locks.size() == 1 && all.size() == 1) {
            json = all[0];
        } else {
            json["explorations"] = all;
        }
        std::cout << json.dump(2) << "\n";
    }
    return watcher.stopped() ? kExitUnknown : exit_code(gravest);
}

}  // namespace locklab
