#include "harness/check/tally.h"

#include <gtest/gtest.h>

#include <numeric>

namespace locklab::tally_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Judgement calm(std::uint64_t grants) {
    Judgement judgement;
    judgement.verdict = Verdict::holds;
    judgement.grants = grants;
    judgement.client_grants = {grants};
    judgement.client_lived = {1};
    judgement.duration = seconds(1);
    return judgement;
}

Judgement violated(std::uint64_t grants, std::uint64_t overlaps) {
    Judgement judgement = calm(grants);
    judgement.verdict = Verdict::violated;
    judgement.overlaps = overlaps;
    judgement.causes[Cause::clock] = overlaps;
    return judgement;
}

TEST(Tally, adds_up) {
    Judgement rich = violated(20, 2);
    rich.lost_updates = 3;
    rich.fence_inversions = 4;
    rich.unknown_answers = 5;
    rich.commands = 90;
    Tally tally;
    tally.add(rich);
    tally.add(calm(10));
    EXPECT_EQ(tally.runs(), 2U);
    EXPECT_EQ(tally.grants(), 30U);
    EXPECT_EQ(tally.overlaps(), 2U);
    EXPECT_EQ(tally.lost_updates(), 3U);
    EXPECT_EQ(tally.fence_inversions(), 4U);
    EXPECT_EQ(tally.unknown_answers(), 5U);
    EXPECT_EQ(tally.causes()[Cause::clock], 2U);
    EXPECT_DOUBLE_EQ(tally.commands_per_grant(), 3);
    EXPECT_DOUBLE_EQ(tally.throughput_per_s(), 15);
    EXPECT_EQ(tally.violated_runs(), 1U);
}

TEST(Tally, erased_writes_are_counted_by_runs) {
    Tally tally;
    for (int i = 0; i < 4; ++i) {
        Judgement judgement = calm(10);
        judgement.writes = {10, i == 0 ? 4U : 0U};
        tally.add(judgement);
    }
    EXPECT_EQ(tally.writes(), 40U);
    EXPECT_EQ(tally.erased_writes(), 4U);
    EXPECT_DOUBLE_EQ(tally.erased_per_1000_writes().value, 100);
    // Wilson's ends for 1 of 4 runs are 0.0456 and 0.6994; two of four draws are the bootstrap's
    // most.
    EXPECT_NEAR(tally.erased_per_1000_writes().low, 18.23, 0.01);
    EXPECT_NEAR(tally.erased_per_1000_writes().high, 300, 1) << "one of four is little to go by";
}

TEST(Tally, verdicts) {
    Tally tally;
    EXPECT_EQ(tally.verdict(), Verdict::unknown);
    tally.add(Judgement());
    EXPECT_EQ(tally.verdict(), Verdict::unknown);
    EXPECT_EQ(tally.unknown_runs(), 1U);
    tally.add(calm(1));
    EXPECT_EQ(tally.verdict(), Verdict::not_seen);
    for (int i = 0; i < 34; ++i) tally.add(calm(1));
    EXPECT_EQ(tally.verdict(), Verdict::holds);
    Judgement stuck = calm(1);
    stuck.verdict = Verdict::stuck;
    stuck.liveness.stuck = true;
    tally.add(stuck);
    EXPECT_EQ(tally.verdict(), Verdict::stuck);
    EXPECT_EQ(tally.stuck_runs(), 1U);
    tally.add(violated(1, 1));
    EXPECT_EQ(tally.verdict(), Verdict::violated);
}

TEST(Tally, a_violated_run_that_is_stuck_too_counts_as_both) {
    Judgement both = violated(2, 1);
    both.liveness.stuck = true;
    Tally tally;
    tally.add(both);
    EXPECT_EQ(tally.stuck_runs(), 1U);
    EXPECT_EQ(tally.violated_runs(), 1U);
}

TEST(Tally, stuck_until_the_ttl_from_the_limit_on) {
    Judgement run = calm(1);
    Tally tally(milliseconds(50));
    for (const int wait : {49, 50, 51}) {
        run.liveness.longest_orphan_wait = milliseconds(wait);
        tally.add(run);
    }
    EXPECT_EQ(tally.stuck_until_ttl_runs(), 2U);
    Tally not_judged;
    not_judged.add(run);
    EXPECT_EQ(not_judged.stuck_until_ttl_runs(), 0U);
}

TEST(Tally, overlaps_per_1000_grants_have_the_interval_of_runs) {
    Tally tally;
    for (const std::uint64_t overlaps : {2, 1, 2, 1}) tally.add(violated(10, overlaps));
    const Rate rate = tally.overlaps_per_1000_grants();
    EXPECT_DOUBLE_EQ(rate.value, 150);
    // Wilson's lower end for 4 of 4 is 0.5101; the bootstrap's most is that all have 2.
    EXPECT_NEAR(rate.low, 150 * 0.5101, 0.01);
    EXPECT_DOUBLE_EQ(rate.high, 200);
}

TEST(Tally, percentiles_are_nearest_ranks) {
    Judgement run = calm(1000);
    for (int i = 1000; i >= 1; --i) run.waits.push_back(Duration(i));
    Tally tally;
    tally.add(run);
    EXPECT_EQ(tally.waits().p50, Duration(500));
    EXPECT_EQ(tally.waits().p99, Duration(990));
    EXPECT_EQ(tally.waits().p999, Duration(999));
    EXPECT_EQ(tally.waits().max, Duration(1000));
    run.waits = {Duration(1001)};
    tally.add(run);
    EXPECT_EQ(tally.waits().p50, Duration(501));
    EXPECT_EQ(tally.waits().p999, Duration(1000));
    EXPECT_EQ(tally.waits().max, Duration(1001));
}

TEST(Tally, percentiles_of_one_wait_and_of_none) {
    Tally tally;
    EXPECT_EQ(tally.waits().max, Duration::zero());
    Judgement run = calm(1);
    run.waits = {Duration(7)};
    tally.add(run);
    EXPECT_EQ(tally.waits().p50, Duration(7));
    EXPECT_EQ(tally.waits().p999, Duration(7));
}

TEST(Tally, jain_is_the_mean_over_runs) {
    Tally tally;
    EXPECT_EQ(tally.jain(), 0);
    Judgement run = calm(8);
    run.client_grants = {4, 4};
    run.client_lived = {1, 1};
    tally.add(run);
    EXPECT_DOUBLE_EQ(tally.jain(), 1);
    run.client_grants = {8, 0};
    tally.add(run);
    EXPECT_DOUBLE_EQ(tally.jain(), 0.75);
    run.client_lived = {0, 1};
    tally.add(run);
    EXPECT_DOUBLE_EQ(tally.jain(), 0.75) << "nobody who lived was granted anything";
    run.client_grants = {1, 2, 3};
    run.client_lived = {0, 1, 1};
    tally.add(run);
    EXPECT_NEAR(tally.jain(), (1 + 0.5 + 25.0 / 26.0) / 3, 1e-12);
}

TEST(Tally, an_empty_one_divides_by_nothing) {
    const Tally tally;
    EXPECT_EQ(tally.throughput_per_s(), 0);
    EXPECT_EQ(tally.commands_per_grant(), 0);
    EXPECT_EQ(tally.violated_share().high, 1);
}

TEST(Tally, equal_input_gives_equal_bits) {
    Tally first;
    Tally second;
    for (std::uint64_t i = 1; i < 100; ++i) {
        first.add(violated(i * 7, i % 5));
        second.add(violated(i * 7, i % 5));
    }
    EXPECT_EQ(first.overlaps_per_1000_grants().low, second.overlaps_per_1000_grants().low);
    EXPECT_EQ(first.overlaps_per_1000_grants().high, second.overlaps_per_1000_grants().high);
    EXPECT_EQ(first.jain(), second.jain());
}

}  // namespace
}  // namespace locklab::tally_test
