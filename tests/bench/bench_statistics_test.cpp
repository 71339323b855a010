#include <gtest/gtest.h>

#include <numeric>

#include "harness/bench/statistics.h"
#include "harness/core/random_choices.h"

namespace locklab::bench_statistics_test {
namespace {

std::vector<double> one_to(int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.rbegin(), values.rend(), 1.0);
    return values;
}

TEST(Median, is_the_middle_or_the_mean_of_the_two_middle_ones) {
    EXPECT_EQ(median_of({3, 1, 2}).value, 2);
    EXPECT_EQ(median_of({4, 1, 2, 3}).value, 2.5);
    EXPECT_EQ(median_of({7}).value, 7);
}

TEST(Median, has_no_interval_below_six_values) {
    // All five on one side of the median: 2 / 32, more than 5 %. Six: 2 / 64.
    EXPECT_FALSE(median_of(one_to(5)).low);
    EXPECT_EQ(median_of(one_to(6)).low, 1);
    EXPECT_EQ(median_of(one_to(6)).high, 6);
}

TEST(Median, leaves_out_as_many_as_it_may) {
    // Binomial(n, 1/2): n = 9: P(0 or 1) = 10 / 512, twice that is 3.9 %; with 2 it were 18 %.
    EXPECT_EQ(median_of(one_to(9)).low, 2);
    EXPECT_EQ(median_of(one_to(9)).high, 8);
    // n = 15: P(0..3) = 576 / 32768, 3.5 %; P(0..4) 12 %.
    EXPECT_EQ(median_of(one_to(15)).low, 4);
    EXPECT_EQ(median_of(one_to(15)).high, 12);
    // The table in Hollander and Wolfe for n = 25: the 8th and the 18th.
    EXPECT_EQ(median_of(one_to(25)).low, 8);
    EXPECT_EQ(median_of(one_to(25)).high, 18);
}

TEST(Median, keeps_its_values_in_the_order_in_which_they_were_measured) {
    const std::vector<double> measured{3, 1, 2};
    EXPECT_EQ(median_of(measured).values, measured);
    EXPECT_EQ(median_of(measured).value, 2);
}

TEST(Median, covers_what_it_says_of_a_skewed_distribution) {
    RandomChoices random(7);
    int covered = 0;
    constexpr int kTrials = 4000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> values;
        for (int i = 0; i < 9; ++i) {
            const double u = random.pick(ChoiceKind::workload, kQuantiles) / double{kQuantiles};
            values.push_back(u * u * u);  // its median is 1/8
        }
        const Median median = median_of(values);
        covered += *median.low <= 0.125 && *median.high >= 0.125 ? 1 : 0;
    }
    EXPECT_GT(covered, kTrials * 95 / 100);
    EXPECT_LT(covered, kTrials * 97 / 100);
}

TEST(Difference, is_resolved_only_where_one_is_outside) {
    const auto ratio = [](double low, double high) { return Median{1, low, high, 9}; };
    EXPECT_EQ(difference_of(ratio(0.9, 1.1)), Difference::unresolved);
    EXPECT_EQ(difference_of(ratio(0.9, 1.0)), Difference::unresolved);
    EXPECT_EQ(difference_of(ratio(0.9, 0.99)), Difference::less);
    EXPECT_EQ(difference_of(ratio(1.01, 1.1)), Difference::more);
    EXPECT_EQ(difference_of(Median{2, {}, {}, 3}), Difference::unresolved);
    EXPECT_EQ(difference_of(ratio(1.0003, 1.036)), Difference::unresolved) << "is printed as 1";
    EXPECT_EQ(difference_of(ratio(0.9, 0.9997)), Difference::unresolved) << "the same";
}

TEST(Percentile, is_a_value_that_occurred) {
    const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    EXPECT_EQ(percentile(values, 0.5), 5);
    EXPECT_EQ(percentile(values, 0.51), 6);
    EXPECT_EQ(percentile(values, 0.999), 10);
    EXPECT_EQ(percentile(values, 0), 1);
    EXPECT_EQ(percentile({}, 0.5), 0);
}

TEST(Jain, is_one_where_all_have_the_same_and_one_nth_where_one_has_all) {
    EXPECT_DOUBLE_EQ(jain_index({3, 3, 3}), 1);
    EXPECT_DOUBLE_EQ(jain_index({9, 0, 0}), 1.0 / 3);
    EXPECT_DOUBLE_EQ(jain_index({0, 0}), 1);
}

}  // namespace
}  // namespace locklab::bench_statistics_test
