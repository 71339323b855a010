// The suite's section on Redlock: which faults break it and its forms, by searches, and how often,
// by campaigns in the simulator.

#include <algorithm>
#include <span>

#include "algorithms/registry.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

/// Runs of a cell of the suite for each run of a cell here.
constexpr std::uint64_t kSuiteRunsPerRun = 5;

/// A client that asks three servers has so many states that one round must do; that of a lock that
/// renews has most.
Bounds bounds_of(const Algorithm& algorithm) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = 2;
    bounds.rounds = 1;
    bounds.attempts = algorithm.renews ? 1 : 3;
    bounds.leaves = 1;
    return bounds;
}

/// The forms that the page of Redlock describes: all servers at once, and in turn.
bool is_of_the_page(const Algorithm& algorithm) {
    return algorithm.name == "redlock" || algorithm.name == "redlock_in_turn";
}

/// Sets of faults in one round; and in a large suite single faults in the searches of `explore`, up
/// to two rounds, which need more memory.
std::vector<ThresholdRun> searches_of(const SuiteSize& size) {
    const std::uint32_t most_faults = size.is_full() ? 2 : 1;
    std::vector<ThresholdRun> runs;
    for (const Algorithm& algorithm : redlocks()) {
        if (size.is_tried_out() && !runs.empty()) break;
        runs.push_back({&algorithm, {{bounds_of(algorithm)}, most_faults, false}, {}, 0});
    }
    if (!size.is_large()) return runs;
    SearchLimits limits;
    limits.memory = std::uint64_t{4} << 30;
    for (const Algorithm& algorithm : redlocks()) {
        if (!is_of_the_page(algorithm)) continue;
        runs.push_back({&algorithm, {searches_for(algorithm), 1, false}, {}, 0, limits});
    }
    return runs;
}

}  // namespace

void run_redlock_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                         SuiteResult& result) {
    RedlockRows& rows = result.redlock.emplace();
    std::vector<WitnessRow> shortest;
    std::vector<ThresholdRun> runs = searches_of(context.size);
    rows.thresholds = threshold_rows(runs, context, progress, shortest);
    // Three servers take three times as long as one.
    SuiteContext fewer = context;
    fewer.size.sim_runs = std::max<std::uint64_t>(1, context.size.sim_runs / kSuiteRunsPerRun);
    const std::size_t locks = context.size.is_tried_out() ? 1 : redlocks().size();
    for (const Algorithm& algorithm : std::span(redlocks()).first(locks)) {
        for (const HazardRow& row : kSimulatedHazards) {
            if (!applies(algorithm, row.hazard)) continue;
            progress.show(std::string(row.name) + ", " + std::string(algorithm.name),
                          rows.cells.size(), locks * kSimulatedHazards.size());
            auto cell = sim_cell(algorithm, row.hazard, fewer);
            if (!cell) return;
            rows.cells.push_back(std::move(*cell));
        }
    }
    progress.can_draw();
}

}  // namespace locklab
