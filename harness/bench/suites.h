// All suites of benchmarks. Each registers its benchmarks with Google Benchmark.
#pragma once

#include <vector>

#include "harness/bench/workbench.h"
#include "harness/core/worker.h"

namespace locklab {

/// Options of live benchmarks.
struct LiveParameters {
    Duration hold = std::chrono::microseconds(500);
    Duration think{0};
    Duration retry = std::chrono::milliseconds(1);
    /// Policies to compare; where nothing is compared, the first is used.
    std::vector<WaitPolicy::Kind> waits{WaitPolicy::Kind::jitter, WaitPolicy::Kind::fixed,
                                        WaitPolicy::Kind::exponential};
    Duration ttl = std::chrono::seconds(10);
};

class MeasuredDrivers;

void register_uncontended(Workbench& bench, const LiveParameters& parameters);
void register_distinct(Workbench& bench, const LiveParameters& parameters);
void register_contended(Workbench& bench, const LiveParameters& parameters);
void register_arrivals(Workbench& bench, const LiveParameters& parameters);
void register_recovery(Workbench& bench, const LiveParameters& parameters);
void register_many_clients(Workbench& bench, const LiveParameters& parameters);
void register_redis_benchmark(Workbench& bench);
void register_proxy_hop(Workbench& bench);
void register_sim_steps();
void register_sim_plane(Workbench& bench);
void register_explore(Workbench& bench);
/// All of the above: our own locks, and the harness.
void register_own(Workbench& bench, const LiveParameters& parameters);

/// Both keep references to the processes until they have run.
void register_drivers_uncontended(Workbench& bench, MeasuredDrivers& drivers,
                                  const LiveParameters& parameters);
void register_drivers_contended(Workbench& bench, MeasuredDrivers& drivers,
                                const LiveParameters& parameters);

}  // namespace locklab
