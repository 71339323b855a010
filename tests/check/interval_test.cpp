#include "harness/check/interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/core/random_choices.h"

namespace locklab::interval_test {
namespace {

/// Of two sides, like that of any other share: where p is the upper end, none in n runs is as far
/// below it as a share may be, z standard errors.
TEST(ShareInterval, no_event_in_n_runs_is_wilsons_too) {
    for (const std::uint64_t n : {1, 10, 300, 2500}) {
        const Rate rate = share_interval(0, n);
        EXPECT_EQ(rate.value, 0);
        EXPECT_EQ(rate.low, 0);
        const double error = std::sqrt(rate.high * (1 - rate.high) / static_cast<double>(n));
        EXPECT_NEAR(rate.high / error, 1.959964, 1e-9) << n;
        EXPECT_LT(rate.high, share_interval(1, n).high);
    }
}

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

/// The ratio of every resample there is, n^n of them, sorted: what a bootstrap only samples.
std::vector<double> every_resample(const std::vector<RunCount>& runs) {
    const std::size_t n = runs.size();
    std::vector<std::size_t> drawn(n, 0);
    std::vector<double> ratios;
    for (;;) {
        std::uint64_t events = 0;
        std::uint64_t chances = 0;
        for (const std::size_t i : drawn) {
            events += runs[i].events;
            chances += runs[i].chances;
        }
        ratios.push_back(static_cast<double>(events) / static_cast<double>(chances));
        std::size_t place = 0;
        while (place < n && ++drawn[place] == n) drawn[place++] = 0;
        if (place == n) break;
    }
    std::sort(ratios.begin(), ratios.end());
    return ratios;
}

TEST(RatioInterval, has_the_bootstraps_in_it_and_hardly_more) {
    // Seven runs, six with events: 823,543 resamples. Wilson's 6 of 7 is wider below, and where
    // all have events it is wider above.
    const std::vector<RunCount> runs{{9, 30},  {2, 30}, {30, 30}, {0, 30},
                                     {14, 20}, {5, 30}, {3, 9}};
    const std::vector<double> all = every_resample(runs);
    const double low = all[all.size() / 40];
    const double high = all[all.size() - 1 - all.size() / 40];
    const Rate rate = ratio_interval(runs);
    const Rate share = share_interval(6, 7);
    EXPECT_NEAR(rate.low, std::min(low, rate.value * share.low / share.value), 0.02);
    EXPECT_NEAR(rate.high, std::max(high, rate.value * share.high / share.value), 0.03);
}

TEST(RatioInterval, is_a_brute_force_bootstraps_where_many_runs_have_events) {
    // 400 runs, a third with 1 to 8 events, lumped; drawn by another generator, far more often.
    std::vector<RunCount> runs;
    for (std::uint64_t i = 0; i < 400; ++i) {
        runs.push_back({i % 3 == 0 ? 1 + i * i % 8 * (i % 5) : 0, 20 + i % 11});
    }
    RandomChoices choices(7);
    std::vector<double> ratios;
    for (int resample = 0; resample < 20'000; ++resample) {
        double events = 0;
        double chances = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const RunCount& run = runs[choices.next() % runs.size()];
            events += static_cast<double>(run.events);
            chances += static_cast<double>(run.chances);
        }
        ratios.push_back(events / chances);
    }
    std::sort(ratios.begin(), ratios.end());
    const Rate rate = ratio_interval(runs);
    EXPECT_NEAR(rate.low / ratios[500], 1, 0.03);
    EXPECT_NEAR(rate.high / ratios[19'499], 1, 0.03);
}

TEST(RatioInterval, never_reaches_zero_once_an_event_was_seen) {
    for (const std::size_t n : {1, 2, 3, 10, 400}) {
        for (std::size_t with = 1; with <= std::min<std::size_t>(n, 5); ++with) {
            std::vector<RunCount> runs(n, RunCount{0, 10});
            for (std::size_t i = 0; i < with; ++i) runs[i].events = 1 + i;
            const Rate rate = ratio_interval(runs);
            EXPECT_GT(rate.low, 0) << with << " of " << n;
            EXPECT_LT(rate.low, rate.value) << with << " of " << n;
        }
    }
}

TEST(RatioInterval, is_the_same_each_time) {
    const std::vector<RunCount> runs{{5, 30}, {0, 20}, {7, 10}, {1, 30}};
    EXPECT_EQ(ratio_interval(runs).low, ratio_interval(runs).low);
    EXPECT_EQ(ratio_interval(runs).high, ratio_interval(runs).high);
}

TEST(RatioInterval, is_wider_than_if_grants_were_independent) {
    // Ten overlaps in 1000 grants, all in one run of ten: the binomial would say 0.0183.
    std::vector<RunCount> runs(10, RunCount{0, 100});
    runs[0].events = 10;
    EXPECT_GT(ratio_interval(runs).high, 0.0183);
    EXPECT_LT(ratio_interval(runs).low, 0.0054);
}

TEST(RatioInterval, one_run_of_many_bounds_no_lower_than_its_share_does) {
    // 1 overlap in 1000 runs of 100 grants: Wilson's ends for 1 of 1000 are 0.0001766, 0.0056436.
    std::vector<RunCount> runs(1000, RunCount{0, 100});
    runs[500].events = 1;
    EXPECT_NEAR(ratio_interval(runs).low, 0.000001766, 1e-9);
    EXPECT_NEAR(ratio_interval(runs).high, 0.00005643, 2e-8);
}

TEST(RatioInterval, no_event_takes_every_grant_of_a_run_for_lost) {
    const std::vector<RunCount> runs(60, RunCount{0, 1000});
    const Rate rate = ratio_interval(runs);
    EXPECT_EQ(rate.value, 0);
    EXPECT_EQ(rate.low, 0);
    EXPECT_DOUBLE_EQ(rate.high, share_interval(0, 60).high);
}

TEST(RatioInterval, runs_without_a_chance_do_not_count) {
    std::vector<RunCount> runs(60, RunCount{0, 1000});
    runs.resize(100);
    EXPECT_DOUBLE_EQ(ratio_interval(runs).high, share_interval(0, 60).high);
}

TEST(RatioInterval, one_run_bounds_nothing_from_above) {
    const std::vector<RunCount> runs{{3, 10}};
    EXPECT_DOUBLE_EQ(ratio_interval(runs).value, 0.3);
    EXPECT_GT(ratio_interval(runs).low, 0);
    EXPECT_TRUE(std::isinf(ratio_interval(runs).high));
}

TEST(RatioInterval, no_run_says_nothing) { EXPECT_TRUE(std::isinf(ratio_interval({}).high)); }

TEST(RatioInterval, runs_that_all_agree_leave_open_that_others_have_none) {
    // Wilson for 50 of 50: from 0.92865.
    const std::vector<RunCount> runs(50, RunCount{2, 10});
    EXPECT_NEAR(ratio_interval(runs).low, 0.2 * 0.92865, 1e-5);
    EXPECT_NEAR(ratio_interval(runs).high, 0.2, 1e-9);
}

}  // namespace
}  // namespace locklab::interval_test
