#include "harness/check/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace locklab {
namespace {

TEST(ShareInterval, no_event_in_n_runs_is_the_rule_of_three) {
    const Rate rate = share_interval(0, 300);
    EXPECT_EQ(rate.value, 0);
    EXPECT_EQ(rate.low, 0);
    EXPECT_DOUBLE_EQ(rate.high, 0.01);
}

TEST(ShareInterval, one_calm_run_says_nothing) { EXPECT_EQ(share_interval(0, 1).high, 1); }

TEST(ShareInterval, no_run_says_nothing) {
    EXPECT_EQ(share_interval(0, 0).low, 0);
    EXPECT_EQ(share_interval(0, 0).high, 1);
}

TEST(ShareInterval, is_wilsons) {
    // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263 and 15 of 148.
    const Rate many = share_interval(81, 263);
    EXPECT_NEAR(many.low, 0.2553, 5e-5);
    EXPECT_NEAR(many.high, 0.3662, 5e-5);
    const Rate few = share_interval(15, 148);
    EXPECT_NEAR(few.low, 0.0624, 5e-5);
    EXPECT_NEAR(few.high, 0.1605, 5e-5);
}

TEST(ShareInterval, all_runs) {
    const Rate rate = share_interval(10, 10);
    EXPECT_NEAR(rate.high, 1, 1e-12);
    EXPECT_NEAR(rate.low, 0.7225, 5e-5);
}

TEST(RatioInterval, clusters_by_run) {
    // Ratio 6/40 = 0.15; residuals 0.5, -0.5, 0.5, -0.5; their squares sum to 1.
    // Error sqrt(4/3 * 1) / 40 = 0.0288675; t(3) = 3.182: half 0.0918564.
    const std::vector<RunCount> runs{{2, 10}, {1, 10}, {2, 10}, {1, 10}};
    const Rate rate = ratio_interval(runs);
    EXPECT_DOUBLE_EQ(rate.value, 0.15);
    EXPECT_NEAR(rate.low, 0.0581436, 1e-6);
    EXPECT_NEAR(rate.high, 0.2418564, 1e-6);
}

TEST(RatioInterval, weighs_runs_by_their_chances) {
    // 5/50; residuals of (5, 30) and (0, 20): 2, -2; error sqrt(2 * 8) / 50 = 0.08; t(1) = 12.706.
    const std::vector<RunCount> runs{{5, 30}, {0, 20}};
    const Rate rate = ratio_interval(runs);
    EXPECT_DOUBLE_EQ(rate.value, 0.1);
    EXPECT_EQ(rate.low, 0);
    EXPECT_NEAR(rate.high, 0.1 + 12.706 * 0.08, 1e-9);
}

TEST(RatioInterval, is_wider_than_if_grants_were_independent) {
    // Ten overlaps in 1000 grants, all in one run of ten: the binomial would say 0.0183.
    std::vector<RunCount> runs(10, RunCount{0, 100});
    runs[0].events = 10;
    EXPECT_GT(ratio_interval(runs).high, 0.0183);
    EXPECT_EQ(ratio_interval(runs).low, 0);
}

TEST(RatioInterval, one_run_of_many_bounds_no_lower_than_its_share_does) {
    // 1 overlap in 1000 runs of 100 grants: Wilson's upper end for 1 of 1000 is 0.0056436.
    std::vector<RunCount> runs(1000, RunCount{0, 100});
    runs[500].events = 1;
    EXPECT_NEAR(ratio_interval(runs).high, 0.00005643, 2e-8);
}

TEST(RatioInterval, no_event_takes_every_grant_of_a_run_for_lost) {
    const std::vector<RunCount> runs(60, RunCount{0, 1000});
    const Rate rate = ratio_interval(runs);
    EXPECT_EQ(rate.value, 0);
    EXPECT_EQ(rate.low, 0);
    EXPECT_DOUBLE_EQ(rate.high, 0.05);
}

TEST(RatioInterval, runs_without_a_chance_do_not_count) {
    std::vector<RunCount> runs(60, RunCount{0, 1000});
    runs.resize(100);
    EXPECT_DOUBLE_EQ(ratio_interval(runs).high, 0.05);
}

TEST(RatioInterval, one_run_bounds_nothing_from_above) {
    const std::vector<RunCount> runs{{3, 10}};
    EXPECT_DOUBLE_EQ(ratio_interval(runs).value, 0.3);
    EXPECT_EQ(ratio_interval(runs).low, 0);
    EXPECT_TRUE(std::isinf(ratio_interval(runs).high));
}

TEST(RatioInterval, no_run_says_nothing) { EXPECT_TRUE(std::isinf(ratio_interval({}).high)); }

TEST(RatioInterval, runs_that_all_agree_have_no_width) {
    const std::vector<RunCount> runs(50, RunCount{2, 10});
    const Rate rate = ratio_interval(runs);
    EXPECT_NEAR(rate.low, 0.2, 1e-12);
    EXPECT_NEAR(rate.high, 0.2, 1e-12);
}

TEST(RatioInterval, many_runs_use_the_normal_quantile) {
    // Half the runs 2 of 10, half 0: ratio 0.1, residuals 1, squares sum to 1000.
    // Error sqrt(1000/999 * 1000) / 10000; t(999) = 1.96234.
    std::vector<RunCount> runs;
    for (int i = 0; i < 500; ++i) runs.insert(runs.end(), {{2, 10}, {0, 10}});
    EXPECT_NEAR(ratio_interval(runs).low, 0.1 - 1.96234 * 0.00316386, 1e-7);
}

}  // namespace
}  // namespace locklab
