#include "harness/explore/random_search.h"

#include <gtest/gtest.h>

#include "harness/explore/step_text.h"
#include "harness/play/strategies.h"
#include "tests/explore/search_bounds.h"

namespace locklab::random_search_test {
namespace {

RandomResult search(const char* algorithm, const char* faults, Strategy strategy,
                    std::uint64_t seed = 1, std::uint64_t schedules = 20'000,
                    std::uint32_t threads = 1) {
    const Algorithm& lock = *algorithm_named(algorithm);
    const Bounds bounds = bounds_with(lock, faults, 3);
    RandomLimits limits;
    limits.threads = threads;
    limits.strategy = strategy;
    limits.seed = seed;
    limits.schedules = schedules;
    return search_randomly(lock, bounds, limits, kGoOn, [](std::uint64_t) {});
}

class EveryStrategy : public testing::TestWithParam<Strategy> {};

TEST_P(EveryStrategy, find_what_the_exhaustive_search_finds) {
    for (const auto& [algorithm, faults] :
         std::initializer_list<std::pair<const char*, const char*>>{
             {"no_lock", "none"},
             {"set_nx_lua", "pause=1"},
             {"set_nx_del", "slow_job=1"},
             {"setnx_getset_epoch", "pause=1"},
             {"set_nx_lua", "restart=1"}}) {
        const RandomResult found = search(algorithm, faults, GetParam());
        EXPECT_EQ(found.verdict, Verdict::violated) << algorithm << " under " << faults;
        EXPECT_LT(found.schedules, 20'000U) << algorithm << " under " << faults;
    }
}

TEST_P(EveryStrategy, accuse_nobody_whom_the_exhaustive_search_clears) {
    for (const auto& [algorithm, faults] :
         std::initializer_list<std::pair<const char*, const char*>>{
             {"perfect_lock", "pause=2,crash=1"},
             {"set_nx_lua", "crash=1,lose_reply=1,delay_request=1,retry=1"},
             {"watchdog_owned", "slow_job=2,lose_reply=1"}}) {
        const RandomResult found = search(algorithm, faults, GetParam());
        EXPECT_EQ(found.verdict, Verdict::unknown) << algorithm << " under " << faults;
        EXPECT_EQ(found.schedules, 20'000U);
        EXPECT_GT(found.steps, 20'000U * 10);
    }
}

TEST_P(EveryStrategy, are_the_same_for_the_same_seed) {
    const RandomResult first = search("set_nx_lua", "pause=1", GetParam(), 7);
    const RandomResult again = search("set_nx_lua", "pause=1", GetParam(), 7);
    EXPECT_EQ(first.schedule, again.schedule);
    ASSERT_EQ(first.witness.steps.size(), again.witness.steps.size());
    for (std::size_t i = 0; i < first.witness.steps.size(); ++i) {
        EXPECT_EQ(to_string(first.witness.steps[i]), to_string(again.witness.steps[i]));
    }
    const RandomResult other = search("set_nx_lua", "pause=1", GetParam(), 8);
    EXPECT_TRUE(other.schedule != first.schedule ||
                other.witness.steps.size() != first.witness.steps.size());
}

TEST_P(EveryStrategy, are_the_same_for_any_number_of_threads) {
    for (const char* faults : {"pause=1", "crash=1,lose_reply=1"}) {
        const RandomResult one = search("set_nx_lua", faults, GetParam(), 3);
        for (const std::uint32_t threads : {2U, 5U}) {
            const RandomResult more = search("set_nx_lua", faults, GetParam(), 3, 20'000, threads);
            EXPECT_EQ(more.verdict, one.verdict);
            EXPECT_EQ(more.schedules, one.schedules);
            EXPECT_EQ(more.steps, one.steps);
            ASSERT_EQ(more.witness.steps.size(), one.witness.steps.size());
            for (std::size_t i = 0; i < one.witness.steps.size(); ++i) {
                EXPECT_EQ(to_string(more.witness.steps[i]), to_string(one.witness.steps[i]));
            }
        }
    }
}

TEST_P(EveryStrategy, show_the_first_violation_also_if_they_count_all) {
    const RandomResult first = search("set_nx_lua", "pause=1", GetParam());
    RandomLimits limits;
    limits.strategy = GetParam();
    limits.count = true;
    limits.schedules = 20'000;
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const RandomResult all =
        search_randomly(lock, bounds_with(lock, "pause=1", 3), limits, kGoOn, [](std::uint64_t) {});
    EXPECT_EQ(all.schedules, 20'000U);
    EXPECT_GT(all.violated, 1U);
    EXPECT_EQ(first.violated, 1U);
    EXPECT_EQ(first.schedules, first.schedule + 1);
    EXPECT_EQ(all.schedule, first.schedule);
    ASSERT_EQ(all.witness.steps.size(), first.witness.steps.size());
    for (std::size_t i = 0; i < all.witness.steps.size(); ++i) {
        EXPECT_EQ(to_string(all.witness.steps[i]), to_string(first.witness.steps[i]));
    }
}

INSTANTIATE_TEST_SUITE_P(RandomSearch, EveryStrategy,
                         testing::Values(Strategy::uniform, Strategy::pct, Strategy::delay_bounded,
                                         Strategy::walk),
                         [](const auto& strategy) { return std::string(name_of(strategy.param)); });

}  // namespace
}  // namespace locklab::random_search_test
