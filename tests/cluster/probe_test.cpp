// Simulated campaigns use every rule of Cluster.

#include "harness/cluster/probe.h"

#include <gtest/gtest.h>

#include <string>

#include "algorithms/registry.h"
#include "harness/explore/sim_run.h"
#include "tests/corpus/corpus.h"

namespace locklab::probe_test {
namespace {

Probes used_by(const Algorithm& lock, const FaultBudget& budget, std::uint64_t runs) {
    RunSpec spec =
        make_run_spec(lock, with_ttl(lock.defaults, std::chrono::seconds(1)), {}, budget);
    spec.topology = topology_for(lock, {}, budget);
    SimRunner runner(spec);
    Probes used;
    for (std::uint64_t run = 0; run < runs; ++run) used += runner.run(1, run).probes;
    return used;
}

Probes under_one(Hazard hazard) {
    Probes used;
    FaultBudget budget;
    if (hazard != kNoFault) budget[hazard] = 1;
    for (const Algorithm& lock : algorithms()) {
        if (applies(lock, hazard)) used += used_by(lock, budget, 5);
    }
    return used;
}

/// All that strikes a lock's clients and their commands.
Probes under_many(const Algorithm& lock) {
    FaultBudget budget;
    for (const HazardRow& row : kSimulatedHazards) {
        if (row.target == FaultTarget::node || row.hazard == kNoFault) continue;
        if (applies(lock, row.hazard)) budget[row.hazard] = 2;
    }
    return used_by(lock, budget, 100);
}

TEST(Probes, are_all_hit_by_campaigns_in_the_simulator) {
    Probes used;
    for (const HazardRow& row : kSimulatedHazards) used += under_one(row.hazard);
    for (const Algorithm& lock : algorithms()) {
        const bool has_two_tasks = lock.defaults.renewal != Duration::zero();
        if (has_two_tasks) used += under_many(lock);
    }
    for (const corpus::Entry& entry : corpus::entries()) {
        if (entry.algorithm.redis_servers > 1) used += used_by(entry.algorithm, {}, 10);
    }
    std::string never;
    for (const ProbeRow& row : kProbes) {
        if (used[row.probe] == 0) never += std::string(row.rule) + "\n";
    }
    for (const HazardRow& row : kSimulatedHazards) {
        if (row.hazard != kNoFault && used[row.hazard] == 0) never += std::string(row.name) + "\n";
    }
    EXPECT_EQ(never, "") << "no campaign uses these rules";
}

}  // namespace
}  // namespace locklab::probe_test
