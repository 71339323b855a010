// Figures of live runs.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "harness/bench/workbench.h"
#include "harness/live/live_run.h"

namespace locklab {

struct LiveFigures {
    std::uint64_t grants = 0;
    double grants_per_s = 0;         ///< from first to last grant of each run, summed over runs
    std::uint32_t without_pace = 0;  ///< runs of fewer than two grants
    std::uint64_t commands = 0;
    double client_cpu_s = 0;
    double server_cpu_s = 0;
    std::uint64_t overlaps = 0;

    // For runs whose rounds are recorded; times in microseconds, sorted.
    std::vector<double> waits;       ///< a wait that the end of the run cut off counts as it stood
    std::vector<double> hand_overs;  ///< from a holder's leaving to the next grant, if one waited
    std::vector<double> recoveries;  ///< from a holder's crash to the next grant
    std::uint32_t crashes = 0;       ///< of holders
    double jain = 1;
    std::uint32_t clients_without_a_grant = 0;

    /// Adds counts and sums; fairness and times stay as they were.
    LiveFigures& operator+=(const LiveFigures& other);
};

/// Runs all of them at once. A wait counts from when the client was to want the lock, which in an
/// open loop may be earlier than when it could. Throws std::runtime_error.
LiveFigures run_live(Workbench& bench, const Endpoint& endpoint, std::vector<LiveConfig> configs);

/// If one of them had fewer than two grants in its window, as on a machine that stood still,
/// repeats all with twice the window, up to some seconds. Throws std::runtime_error.
LiveFigures run_for_pace(Workbench& bench, const Endpoint& endpoint,
                         std::vector<LiveConfig> configs);

/// Half a sentence about a run without a grant.
std::string why_no_grant(const LiveResult& result);

/// Adds one run's times, from its history.
void add_times(const History& history, const Workload& workload, LiveFigures& figures);

/// Adds percentiles of sorted waits to the benchmark's row.
void report_waits(const std::vector<double>& waits, benchmark::State& state);

/// Adds the figures to the benchmark's row; times of one grant as "..._us".
void report(const LiveFigures& figures, benchmark::State& state);

}  // namespace locklab
