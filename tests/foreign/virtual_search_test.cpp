// Searches of driver processes in virtual time: what they find, how it is shrunk and comes again.

#include "harness/foreign/virtual_search.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/foreign/play_drives.h"

namespace locklab {
namespace {

VirtualSearchResult search(const char* lock, Hazard hazard, const VirtualSearchLimits& limits) {
    const Subject subject(*algorithm_named(lock), LOCKLAB_PROGRAM);
    VirtualSpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    if (hazard != kNoFault) spec.faults[hazard] = 1;
    VirtualSearchResult result = search_virtually(subject, spec, limits, Watcher());
    if (!result.find) return result;
    VirtualWorld world(subject, spec.clients);
    GivenDrive drive(picks_of(result.find->deviations));
    EXPECT_FALSE(play_virtually(world, subject, spec, drive).proved.empty());
    return result;
}

TEST(VirtualSearch, a_pause_breaks_a_lease_in_every_order) {
    for (const PlayOrder order : {PlayOrder::random, PlayOrder::pct, PlayOrder::delay}) {
        const auto result = search("set_nx_del", Hazard::pause, {order, 300, 1, 1});
        ASSERT_TRUE(result.find) << static_cast<int>(order);
        EXPECT_TRUE(result.find->came_again);
        EXPECT_LE(result.find->deviations.size(), 1U);
        EXPECT_GE(result.find->found_with, result.find->deviations.size());
    }
}

TEST(VirtualSearch, threads_find_the_same) {
    const auto one = search("set_nx_lua", Hazard::slow_job, {PlayOrder::random, 200, 1, 1});
    const auto two = search("set_nx_lua", Hazard::slow_job, {PlayOrder::random, 200, 1, 2});
    ASSERT_TRUE(one.find);
    ASSERT_TRUE(two.find);
    EXPECT_EQ(one.plays, two.plays);
    EXPECT_EQ(one.find->deviations, two.find->deviations);
    EXPECT_EQ(one.find->play.transcript, two.find->play.transcript);
}

TEST(VirtualSearch, what_holds_is_not_found_and_all_of_the_bound_is_played) {
    const auto result = search("set_nx_lua", kNoFault, {PlayOrder::delay, 1000, 1, 1});
    EXPECT_FALSE(result.find);
    EXPECT_TRUE(result.all_played);
    EXPECT_GT(result.plays, 10U);
    EXPECT_GT(result.grants, result.plays);
    const auto less = search("set_nx_lua", kNoFault, {PlayOrder::delay, 5, 1, 1});
    EXPECT_FALSE(less.all_played);
    EXPECT_EQ(less.plays, 5U);
}

}  // namespace
}  // namespace locklab
