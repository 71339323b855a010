// The suite's section on Redlock: which faults break it and its forms, by searches that end within
// seconds, and how often, by campaigns in the simulator.

#include <algorithm>

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

std::vector<ThresholdRun> searches_of(const SuiteSize& size) {
    const std::uint32_t most_faults = size.is_full() ? 2 : 1;
    std::vector<ThresholdRun> runs;
    for (const Algorithm& algorithm : redlocks()) {
        if (size.is_tried_out() && !runs.empty()) break;
        runs.push_back({&algorithm, {{bounds_of(algorithm)}, most_faults, false}, {}, 0});
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
    for (const ThresholdRun& run : runs) {
        for (const HazardRow& row : kSimulatedHazards) {
            if (!applies(*run.algorithm, row.hazard)) continue;
            progress.show(std::string(row.name) + ", " + std::string(run.algorithm->name),
                          rows.cells.size(), runs.size() * kSimulatedHazards.size());
            auto cell = sim_cell(*run.algorithm, row.hazard, fewer);
            if (!cell) return;
            rows.cells.push_back(std::move(*cell));
        }
    }
    progress.can_draw();
}

}  // namespace locklab
