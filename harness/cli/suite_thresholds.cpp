// The suite's thresholds: for each lock the least that breaks it, as explore --thresholds does.

#include <algorithm>
#include <optional>
#include <thread>

#include "algorithms/registry.h"
#include "harness/cli/counted.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/scene_report.h"
#include "harness/cli/suite.h"
#include "harness/cli/threshold_report.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// How far the searches go.
struct Reach {
    /// Nothing: the searches that `explore` makes by itself.
    std::optional<std::uint32_t> clients;
    std::uint32_t most_faults = 1;
    /// Locks that compare clocks, too, whose states are far more.
    bool with_clocks = true;
};

bool compares_clocks(const Algorithm& algorithm) {
    return algorithm.broken_by.contains(Hazard::clock_offset) &&
           !algorithm.broken_by.contains(Hazard::contention);
}

/// What can be exhausted in some minutes: what proves single faults, and pairs of two clients.
std::vector<Reach> reaches(const SuiteSize& size) {
    if (size.is_tried_out()) return {{2U, 1}};
    std::vector<Reach> all{{{}, 1}, {2U, 2}};
    if (size.mode == "full") all.push_back({3U, 2, false});
    return all;
}

std::vector<Bounds> searches_of(const Algorithm& algorithm, const Reach& reach) {
    if (!reach.clients) return searches_for(algorithm);
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = *reach.clients;
    bounds.leaves = 1;
    return {bounds};
}

/// The row's object, with its witnesses named from the folder of the run.
nlohmann::ordered_json row_of(const Thresholds& found, const std::vector<Explored>& witnesses,
                              const Reach& reach, double seconds) {
    nlohmann::ordered_json row = thresholds_json(found, witnesses);
    row["most_faults"] = reach.most_faults;
    row["seconds"] = seconds;
    for (nlohmann::ordered_json& set : row["minimal"]) {
        const fs::path file = set["witness"].get<std::string>();
        set["witness"] = "traces/" + file.filename().string();
    }
    return row;
}

/// The one hazard of a budget with a single fault, or contention of one with none.
std::optional<Hazard> only_hazard(const FaultBudget& budget) {
    std::optional<Hazard> only;
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        if (only || budget[row.hazard] > 1) return std::nullopt;
        only = row.hazard;
    }
    return only.value_or(Hazard::contention);
}

/// Keeps the shortest witness of each lock, hazard and verdict as the report shows it.
void keep_shortest(const std::vector<Explored>& found, nlohmann::ordered_json& witnesses) {
    for (const Explored& explored : found) {
        const std::optional<Hazard> hazard = only_hazard(explored.bounds.faults);
        if (!hazard) continue;
        const nlohmann::ordered_json key{{"algorithm", explored.algorithm->name},
                                         {"hazard", name_of(*hazard)},
                                         {"verdict", name_of(explored.result.verdict)}};
        const auto known = std::find_if(witnesses.begin(), witnesses.end(), [&](const auto& row) {
            return std::all_of(key.items().begin(), key.items().end(), [&](const auto& item) {
                return row.at(item.key()) == item.value();
            });
        });
        const std::size_t length = explored.result.witness.steps.size();
        if (known != witnesses.end() && known->at("length") <= length) continue;
        nlohmann::ordered_json row = key;
        row["length"] = length;
        row["clients"] = explored.bounds.clients;
        row["cause"] = cause_of(explored);
        row["replay"] = explored.replay;
        row.update(scene_json(*explored.scene));
        if (known == witnesses.end()) {
            witnesses.push_back(std::move(row));
        } else {
            *known = std::move(row);
        }
    }
}

}  // namespace

void run_threshold_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                           SuiteResult& result) {
    SearchLimits limits;
    limits.threads = std::max(1U, std::thread::hardware_concurrency());
    std::error_code error;
    fs::create_directories(context.folder / "traces", error);
    for (const Reach& reach : reaches(context.size)) {
        for (const Algorithm& algorithm : algorithms()) {
            const bool many_states = compares_clocks(algorithm);
            if (many_states && !reach.with_clocks) continue;
            const std::vector<Bounds> searches = searches_of(algorithm, reach);
            for (const Goal goal : {Goal::exclusion, Goal::progress}) {
                const std::string said = "sets of up to " + counted(reach.most_faults, "fault") +
                                         ", " + std::string(algorithm.name);
                progress.show(said);
                limits.goal = goal;
                const Stopwatch stopwatch;
                const Thresholds found = find_thresholds(
                    algorithm, searches, reach.most_faults, limits, interrupt_flag(),
                    [&](const SearchProgress& now) {
                        progress.show(said + ", " + std::to_string(now.states) + " states");
                    });
                if (interrupt_flag()) return;
                const double seconds = stopwatch.seconds();
                const auto witnesses = threshold_witnesses(found, context.folder / "traces");
                result.thresholds.push_back(row_of(found, witnesses, reach, seconds));
                keep_shortest(witnesses, result.witnesses);
                progress.can_draw();
            }
        }
    }
}

}  // namespace locklab
