#include "harness/cli/starvation.h"

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/search_bounds.h"
#include "harness/core/usage_error.h"
#include "harness/play/starved.h"
#include "harness/suite/starved_row.h"

namespace locklab {

namespace {

/// Of two locks that differ, the one whose verdict counts.
Verdict graver(Verdict a, Verdict b) { return is_graver(a, b) ? a : b; }

Bounds bounds_of(const CommandLine& line, const Algorithm& algorithm) {
    Bounds bounds = starvation_bounds(algorithm);
    const Bounds asked = searches_of(line, algorithm)[0];
    if (line.has("clients")) bounds.clients = asked.clients;
    bounds.servers = asked.servers;
    bounds.any_length = asked.any_length;
    return bounds;
}

}  // namespace

void check_starvation(const CommandLine& line) {
    static constexpr std::array<const char*, 14> kOthers{
        "rounds",     "attempts",    "leaves",  "again", "outage", "timeout",    "client-ttl",
        "client-job", "client-mode", "mermaid", "svg",   "count",  "thresholds", "probability"};
    for (const char* option : kOthers) {
        if (!line.has(option)) continue;
        throw UsageError("--" + std::string(option) +
                         " does not go with --starvation, where rounds and tries have no end; "
                         "right would be --clients, --topology or --lengths");
    }
    if (line.has("client-renewal")) {
        throw UsageError("--client-renewal does not go with --starvation; right would be without");
    }
    if (line.has("faults") && line.get("faults") != "none") {
        throw UsageError("--starvation is without faults; right would be --faults none");
    }
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
