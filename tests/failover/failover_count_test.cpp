#include "harness/failover/failover_count.h"

#include <gtest/gtest.h>

#include <vector>

namespace locklab::failover_count_test {
namespace {

using namespace std::chrono_literals;

constexpr FailoverCell kCell{5ms, Safeguard::none};
constexpr FailoverShape kShape{1, 200ms, 30s};

FailoverRun run_of(const FailoverOutcome& real, const FailoverOutcome& modelled) {
    FailoverRun run;
    run.cell = kCell;
    run.shape = kShape;
    run.redis = "7.0.15";
    run.drawn = 10ms;
    run.killed = 11ms;
    run.late = 1ms;
    run.promoted = 1500ms;
    run.real = real;
    run.modelled = modelled;
    return run;
}

constexpr FailoverOutcome kKept{.granted = true};
constexpr FailoverOutcome kLost{.granted = true, .lost = true, .twice = true};
constexpr FailoverOutcome kLeft{.left = true};

FailoverCount count(const std::vector<FailoverRun>& runs) {
    return count_failovers(kCell, kShape, runs);
}

TEST(FailoverCount, shares_are_of_the_locks_that_were_granted) {
    std::vector<FailoverRun> runs(9, run_of(kKept, kKept));
    runs.push_back(run_of(kLost, kLost));
    runs.push_back(run_of(kLeft, kKept));
    const FailoverCount found = count(runs);
    EXPECT_EQ(found.runs, 11u);
    EXPECT_EQ(found.real.granted, 10u);
    EXPECT_EQ(found.real.lost, 1u);
    EXPECT_EQ(found.real.twice, 1u);
    EXPECT_EQ(found.real.left, 1u);
    EXPECT_DOUBLE_EQ(found.real.lost_share, 0.1);
    // Wilson's interval of 1 in 10.
    EXPECT_NEAR(found.lost_interval.low, 0.0179, 1e-4);
    EXPECT_NEAR(found.lost_interval.high, 0.4042, 1e-4);
    EXPECT_EQ(found.modelled->granted, 11u);
    EXPECT_EQ(found.differ, 1u);
    EXPECT_TRUE(found.model_is_inside());
    EXPECT_EQ(found.redis, "7.0.15");
}

TEST(FailoverCount, the_models_share_is_outside_where_the_interval_does_not_reach_it) {
    std::vector<FailoverRun> runs(100, run_of(kKept, kLost));
    EXPECT_FALSE(count(runs).model_is_inside());
    EXPECT_EQ(count(runs).differ, 100u);
}

TEST(FailoverCount, runs_that_show_nothing_are_counted_apart) {
    std::vector<FailoverRun> runs(3, run_of(kLost, kLost));
    runs[0].why_nothing = "The Sentinels did not agree.";
    runs[1].refused = "NOREPLICAS";
    const FailoverCount found = count(runs);
    EXPECT_EQ(found.runs, 1u);
    EXPECT_EQ(found.nothing, 1u);
    EXPECT_EQ(found.why_nothing, "The Sentinels did not agree.");
    EXPECT_EQ(found.refused, 1u);
    EXPECT_EQ(found.real.lost, 1u);
    EXPECT_EQ(found.modelled->lost, 1u);
}

TEST(FailoverCount, times_are_the_middle_one_and_the_longest) {
    std::vector<FailoverRun> runs(3, run_of(kKept, kKept));
    runs[1].promoted = 2s;
    runs[1].late = 0ms;
    runs[2].promoted = 4s;
    runs[2].late = 8ms;
    const FailoverCount found = count(runs);
    EXPECT_EQ(found.promoted_median, 2s);
    EXPECT_EQ(found.promoted_longest, 4s);
    EXPECT_EQ(found.late_median, 1ms);
    EXPECT_EQ(found.late_longest, 8ms);
}

TEST(FailoverCount, of_two_replicas_the_model_says_nothing) {
    FailoverCell cell = kCell;
    cell.replicas = 2;
    const FailoverCount found = count_failovers(cell, kShape, std::vector{run_of(kLost, kKept)});
    EXPECT_FALSE(found.modelled.has_value());
    EXPECT_FALSE(found.model_is_inside());
    EXPECT_EQ(found.differ, 0u);
}

TEST(FailoverCount, is_read_back_as_it_was_written) {
    std::vector<FailoverRun> runs(3, run_of(kLost, kKept));
    runs[0].why_nothing = "because";
    runs[1].second_refused = "NOREPLICAS Not enough good replicas to write.";
    const nlohmann::ordered_json written = to_json(count(runs));
    FailoverCount read;
    read_row(written, read);
    EXPECT_EQ(to_json(read).dump(), written.dump());
    EXPECT_EQ(read.second_refused, 1u);
    EXPECT_EQ(read.cell, kCell);
}

}  // namespace
}  // namespace locklab::failover_count_test
