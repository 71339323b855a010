// Real Sentinels, and a master that is killed.

#include "harness/failover/failover_run.h"

#include <gtest/gtest.h>

namespace locklab::failover_run_test {
namespace {

using namespace std::chrono_literals;

/// The master dies at once, long before its replica has the key.
constexpr FailoverShape kAtOnce{1, 1ms, 30s};
constexpr Duration kFarBehind = 200ms;

/// The first of some failovers for which this machine was not late.
FailoverRun in_time(const FailoverCell& cell) {
    FailoverRun run;
    for (std::uint64_t number = 0; number < 20; ++number) {
        run = run_failover(cell, kAtOnce, number);
        if (!run.why_nothing.starts_with("This machine was late")) break;
    }
    EXPECT_EQ(run.why_nothing, "");
    return run;
}

TEST(FailoverRun, a_lock_that_was_not_replicated_is_lost_and_granted_twice) {
    const FailoverRun run = in_time({kFarBehind, Safeguard::none});
    EXPECT_EQ(run.real, (FailoverOutcome{.granted = true, .lost = true, .twice = true}));
    EXPECT_EQ(run.modelled, run.real);
    EXPECT_GE(run.killed, run.drawn);
    EXPECT_GE(run.promoted, 300ms);
    nlohmann::ordered_json written = to_json(run);
    FailoverRun read;
    read_row(written, read);
    EXPECT_EQ(to_json(read).dump(), written.dump());
}

TEST(FailoverRun, who_waits_for_the_replica_is_not_granted_it) {
    const FailoverRun run = in_time({kFarBehind, Safeguard::wait});
    EXPECT_EQ(run.real, FailoverOutcome());
    EXPECT_EQ(run.modelled, run.real);
}

}  // namespace
}  // namespace locklab::failover_run_test
