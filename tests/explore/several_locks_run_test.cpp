// Runs whose clients take several locks: A-B against B-A is a deadlock, a lease makes two holders
// of it, and one order for all heals it.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "harness/core/usage_error.h"
#include "harness/explore/sim_run.h"
#include "harness/record/trace_json.h"

namespace locklab::several_locks_run_test {
namespace {

RunSpec spec_of(std::string_view name, std::uint32_t locks, bool same_order) {
    const Algorithm& lock = *algorithm_named(name);
    RunSpec spec = make_run_spec(lock, lock.defaults, Duration(0), {});
    spec.resources = locks;
    spec.topology.masters = locks;
    spec.workload.same_order = same_order;
    spec.workload.wait.delay = std::chrono::milliseconds(200);
    check_locks(spec);
    return spec;
}

/// Of so many runs.
std::array<int, 4> verdicts_of(const RunSpec& spec, int runs = 40) {
    std::array<int, 4> counts{};
    SimRunner runner(spec);
    for (int run = 0; run < runs; ++run) {
        const Judgement found = judge(runner.run(1, static_cast<std::uint64_t>(run)).history);
        ++counts[static_cast<std::size_t>(found.verdict)];
        EXPECT_EQ(found.verdict == Verdict::stuck, !found.deadlock.empty());
    }
    return counts;
}

int of(const std::array<int, 4>& counts, Verdict verdict) {
    return counts[static_cast<std::size_t>(verdict)];
}

TEST(SeveralLocksRun, locks_that_never_end_by_themselves_are_in_deadlock) {
    for (const char* name : {"setnx_del", "watchdog_owned", "reentrant_watchdog"}) {
        for (const std::uint32_t locks : {2U, 3U}) {
            SCOPED_TRACE(name + std::to_string(locks));
            const auto counts = verdicts_of(spec_of(name, locks, false));
            EXPECT_GT(of(counts, Verdict::stuck), 20);
            EXPECT_EQ(of(counts, Verdict::violated), 0);
        }
    }
}

TEST(SeveralLocksRun, a_lease_turns_a_deadlock_into_two_holders) {
    const auto counts = verdicts_of(spec_of("set_nx_lua", 2, false));
    EXPECT_GT(of(counts, Verdict::violated), 20);
    EXPECT_EQ(of(counts, Verdict::stuck), 0);
}

TEST(SeveralLocksRun, one_order_for_all_heals_it) {
    for (const char* name : {"setnx_del", "set_nx_lua", "watchdog_owned", "reentrant_watchdog"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(of(verdicts_of(spec_of(name, 2, true)), Verdict::holds), 40);
    }
}

/// Every lock is taken, each as often, and each at a server of its own.
TEST(SeveralLocksRun, each_lock_is_at_a_server_of_its_own) {
    SimRunner runner(spec_of("set_nx_lua", 3, true));
    std::array<int, ResourceId::kMost> grants{};
    for (const Event& event : runner.run(1, 0).history.events) {
        if (std::holds_alternative<event::Granted>(event.detail)) ++grants[event.resource.value];
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr || ran->node == kOracle) continue;
        EXPECT_EQ(ran->node.value, event.resource.value);
    }
    EXPECT_GT(grants[0], 0);
    EXPECT_EQ(grants[0], grants[1]);
    EXPECT_EQ(grants[0], grants[2]);
}

TEST(SeveralLocksRun, a_trace_has_them_too) {
    Trace trace;
    trace.spec = spec_of("set_nx_lua", 3, true);
    const Trace read = read_trace(to_json(trace), "t", algorithm_named);
    EXPECT_EQ(read.spec.resources, 3U);
    EXPECT_TRUE(read.spec.workload.same_order);
    EXPECT_EQ(read.spec.topology.masters, 3U);
}

TEST(SeveralLocksRun, what_does_not_go_together_is_refused) {
    const auto refused = [](const RunSpec& spec) {
        try {
            check_locks(spec);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    RunSpec spec = spec_of("set_nx_lua", 2, false);
    EXPECT_EQ(refused(spec), "taken");
    spec.budget[Hazard::failover] = 1;
    EXPECT_EQ(refused(spec),
              "--locks 2 does not go with failover, which has one master; right would be one lock");
    spec.budget = {};
    spec.algorithm = algorithm_named("perfect_lock");
    EXPECT_EQ(refused(spec),
              "--locks 2 does not go with perfect_lock, which is not at one server; right would be "
              "one lock");
}

}  // namespace
}  // namespace locklab::several_locks_run_test
