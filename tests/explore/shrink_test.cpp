#include "harness/explore/shrink.h"

#include <gtest/gtest.h>

#include "harness/explore/random_search.h"
#include "harness/explore/step_text.h"
#include "harness/play/step_player.h"
#include "harness/stage/sim_world.h"
#include "tests/explore/search_bounds.h"

namespace locklab::shrink_test {
namespace {

Path random_find(const Algorithm& lock, const Bounds& bounds, std::uint64_t seed) {
    RandomLimits limits;
    limits.seed = seed;
    const RandomResult found = search_randomly(lock, bounds, limits, kGoOn, [](std::uint64_t) {});
    EXPECT_EQ(found.verdict, Verdict::violated);
    return found.witness;
}

std::uint32_t overlaps_on_stage(const Algorithm& lock, const Bounds& bounds, const Path& path) {
    Find find;
    find.algorithm = &lock;
    find.bounds = bounds;
    find.steps = path.steps;
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        find.clock_offsets.push_back(std::chrono::milliseconds(path.clocks[i]));
    }
    SimWorld world;
    return static_cast<std::uint32_t>(judge(play_steps(find, world, Key{"lock"}).history).overlaps);
}

TEST(Shrink, leaves_what_the_stage_sees_to_be_violated_and_of_which_no_step_can_go) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds =
        bounds_with(lock, "pause=2,crash=1,lose_reply=2,lose_request=2,delay_request=1", 3, 3, 5);
    std::size_t before = 0;
    std::size_t one_fault = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Path found = random_find(lock, bounds, seed);
        const Path small = shrink(lock, bounds, found);
        EXPECT_LE(small.steps.size(), found.steps.size());
        EXPECT_EQ(shrink(lock, bounds, small).steps.size(), small.steps.size());
        EXPECT_GT(overlaps_on_stage(lock, bounds, small), 0U) << "seed " << seed;
        before += faults_in(found);
        one_fault += faults_in(small) == 1 ? 1 : 0;
    }
    // Now and then time-outs of lost replies let the time pass that a pause needs.
    EXPECT_GE(one_fault, 15U);
    EXPECT_GT(before, 40U);
}

TEST(Shrink, of_a_long_run_comes_to_a_shortest_one) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "lose_reply=15,evict=1,delay_request=2", 4, 60, 50);
    const Path found = random_find(lock, bounds, 1);
    EXPECT_GT(found.steps.size(), 1000U);
    const Path small = shrink(lock, bounds, found);
    EXPECT_EQ(small.steps.size(), search("set_nx_lua", "evict=1", 4).witness.steps.size());
}

TEST(Shrink, leaves_nothing_that_can_be_left_out) {
    const Algorithm& lock = *algorithm_named("set_nx_del");
    const Bounds bounds = bounds_with(lock, "pause=2,lose_reply=2,retry=1,evict=1", 3, 3, 5);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Path small = shrink(lock, bounds, random_find(lock, bounds, seed));
        EXPECT_EQ(shrink(lock, bounds, small).steps.size(), small.steps.size()) << "seed " << seed;
    }
}

TEST(Shrink, sets_clocks_right_that_do_not_matter) {
    const Algorithm& lock = *algorithm_named("setnx_getset_epoch");
    const Bounds bounds = bounds_with(lock, "clock_offset=3,pause=1", 3);
    std::size_t wrong = 0;
    std::size_t left = 0;
    std::size_t one = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Path found = random_find(lock, bounds, seed);
        const Path small = shrink(lock, bounds, found);
        const auto count = [](const Path& path) {
            return static_cast<std::size_t>(std::count_if(path.clocks.begin(), path.clocks.end(),
                                                          [](std::int16_t by) { return by != 0; }));
        };
        wrong += count(found);
        left += count(small);
        one += count(small) <= 1 ? 1 : 0;
    }
    EXPECT_GT(wrong, left);
    EXPECT_GE(one, 15U) << "one clock that is off suffices";
}

}  // namespace
}  // namespace locklab::shrink_test
