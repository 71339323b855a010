// Searches of driver processes in virtual time: what they find, how it is shrunk and comes again.

#include "harness/foreign/virtual_search.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/core/usage_error.h"
#include "harness/foreign/play_drives.h"

namespace locklab {
namespace {

VirtualSearchResult search(const char* lock, Hazard hazard, const VirtualSearchLimits& limits) {
    const Subject subject(*algorithm_named(lock), LOCKLAB_PROGRAM);
    VirtualSpec spec;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    if (hazard != kNoFault) spec.faults[hazard] = 1;
    VirtualWorld world(subject, spec.clients);
    VirtualSearchResult result = search_virtually(world, subject, spec, limits, Watcher());
    if (!result.find) return result;
    GivenDrive drive(picks_of(result.find->deviations));
    EXPECT_FALSE(play_virtually(world, subject, spec, drive).proved.empty());
    return result;
}

TEST(VirtualSearch, a_pause_breaks_a_lease_in_every_order) {
    for (const PlayOrder order : {PlayOrder::random, PlayOrder::pct, PlayOrder::delay}) {
        const auto result = search("set_nx_del", Hazard::pause, {order, 300, 1});
        ASSERT_TRUE(result.find) << static_cast<int>(order);
        EXPECT_TRUE(result.find->came_again);
        EXPECT_LE(result.find->deviations.size(), order == PlayOrder::delay ? 1U : 4U);
        EXPECT_GE(result.find->found_with, result.find->deviations.size());
    }
}

TEST(VirtualSearch, what_holds_is_not_found_and_all_of_the_bound_is_played) {
    const auto result = search("set_nx_lua", kNoFault, {PlayOrder::delay, 1000, 1});
    EXPECT_FALSE(result.find);
    EXPECT_TRUE(result.all_played);
    EXPECT_GT(result.plays, 10U);
    EXPECT_GT(result.grants, result.plays);
    const auto less = search("set_nx_lua", kNoFault, {PlayOrder::delay, 5, 1});
    EXPECT_FALSE(less.all_played);
    EXPECT_EQ(less.plays, 5U);
}

TEST(PlayDeviations, are_read_as_they_are_written) {
    const PlayDeviations some = parse_deviations("3:1,17:2");
    EXPECT_EQ(to_string(some), "3:1,17:2");
    EXPECT_EQ(picks_of(some).size(), 18U);
    EXPECT_EQ(to_string(parse_deviations("calm")), "calm");
    EXPECT_EQ(deviations_of({{0, 2}, {1, 2}, {0, 3}, {2, 3}}), parse_deviations("1:1,3:2"));
    for (const char* wrong : {"3", "3:", "3:0", "x:1", "3:1;4:1", "999999:1"}) {
        EXPECT_THROW(parse_deviations(wrong), UsageError) << wrong;
    }
}

}  // namespace
}  // namespace locklab
