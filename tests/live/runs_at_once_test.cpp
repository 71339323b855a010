// How many live runs are let be under way: fewer where a loop is late, more where none is.
#include "harness/live/runs_at_once.h"

#include <gtest/gtest.h>

namespace locklab::runs_at_once_test {
namespace {

std::size_t begin_all(RunsAtOnce& at_once) {
    std::size_t begun = 0;
    while (at_once.begin()) ++begun;
    return begun;
}

void end(RunsAtOnce& at_once, std::size_t runs) {
    for (std::size_t i = 0; i < runs; ++i) at_once.ended();
}

TEST(RunsAtOnce, no_more_begin_than_may) {
    RunsAtOnce at_once({2, 10, 40});
    EXPECT_EQ(begin_all(at_once), 10U);
    end(at_once, 3);
    EXPECT_EQ(begin_all(at_once), 3U);
}

TEST(RunsAtOnce, what_is_late_halves_the_limit_once_until_so_few_are_under_way) {
    RunsAtOnce at_once({2, 16, 40});
    begin_all(at_once);
    at_once.was_late();
    at_once.was_late();
    EXPECT_EQ(at_once.limit(), 8U) << "the same trouble counts once";
    end(at_once, 7);
    at_once.was_late();
    EXPECT_EQ(at_once.limit(), 8U) << "9 are still under way";
    end(at_once, 1);
    EXPECT_FALSE(at_once.begin());
    at_once.was_late();
    EXPECT_EQ(at_once.limit(), 4U);
    EXPECT_EQ(at_once.lowest(), 4U);
    EXPECT_EQ(at_once.highest(), 16U);
}

TEST(RunsAtOnce, is_never_below_the_least_nor_above_the_most) {
    RunsAtOnce at_once({4, 8, 10});
    for (int i = 0; i < 5; ++i) at_once.was_late();
    EXPECT_EQ(at_once.limit(), 4U);
    for (int round = 0; round < 20; ++round) end(at_once, begin_all(at_once));
    EXPECT_EQ(at_once.limit(), 10U);
    EXPECT_EQ(at_once.highest(), 10U);
}

TEST(RunsAtOnce, rises_by_a_part_of_itself_after_as_many_runs_in_time) {
    RunsAtOnce at_once({1, 8, 100});
    begin_all(at_once);
    end(at_once, 7);
    EXPECT_EQ(at_once.limit(), 8U);
    end(at_once, 1);
    EXPECT_EQ(at_once.limit(), 10U);
    begin_all(at_once);
    end(at_once, 9);
    at_once.was_late();
    EXPECT_EQ(at_once.limit(), 5U);
    begin_all(at_once);
    end(at_once, 4);
    EXPECT_EQ(at_once.limit(), 5U) << "those before do not count";
}

TEST(RunsAtOnce, so_many_always_is_no_fewer_when_late) {
    RunsAtOnce at_once(std::size_t{5});
    at_once.was_late();
    EXPECT_EQ(begin_all(at_once), 5U);
}

TEST(RunsAtOnce, an_eighth_of_a_ttl_is_the_most_that_a_loop_may_be_late) {
    EXPECT_EQ(RunsAtOnce::most_lag(std::chrono::milliseconds(800)), std::chrono::milliseconds(100));
}

TEST(RunsAtOnce, there_are_files_for_one_run_at_least) {
    EXPECT_GE(most_runs_for_files(1'000'000, 5), 1U);
    EXPECT_GT(most_runs_for_files(1, 1), most_runs_for_files(8, 1));
    EXPECT_GT(most_runs_for_files(1, 1), most_runs_for_files(1, 3));
}

}  // namespace
}  // namespace locklab::runs_at_once_test
