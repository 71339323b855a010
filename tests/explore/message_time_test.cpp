// Messages that take time though no fault strikes them.

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/registry.h"
#include "harness/explore/every_schedule.h"
#include "harness/explore/exhaustive.h"
#include "harness/explore/state_graph.h"
#include "harness/play/explore_trace.h"
#include "harness/stage/sim_world.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/two_counts.h"

namespace locklab::message_time_test {
namespace {

using namespace std::chrono_literals;

/// Two clients whose jobs take nearly as long as a lease.
Bounds long_jobs(const Algorithm& lock, Duration latency) {
    Bounds bounds = bounds_with(lock, "none", 2, 1, 2);
    bounds.job = bounds.options.ttl - 10ms;
    bounds.latency = latency;
    return bounds;
}

TEST(Latency, is_time_that_a_lease_has_lost_as_its_holder_learns_of_it) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    EXPECT_EQ(name_of(search(lock, long_jobs(lock, 0ms)).verdict), "holds");
    EXPECT_EQ(name_of(search(lock, long_jobs(lock, 9ms)).verdict), "holds");
    const Bounds bounds = long_jobs(lock, 40ms);
    const SearchResult found = search(lock, bounds);
    ASSERT_EQ(name_of(found.verdict), "violated");
    const Find find = find_of(lock, bounds, found.witness, false);
    EXPECT_EQ(read_find(to_json(find), "find").bounds.latency, bounds.latency);
    EXPECT_NE(trace_name(find), trace_name(find_of(lock, long_jobs(lock, 0ms), Path(), false)));
    SimWorld world;
    const History history = play_steps(find, world, Key{"lock"}).history;
    EXPECT_GT(judge(history).overlaps, 0U) << "the stage sees it, too";
    EXPECT_TRUE(std::ranges::none_of(history.events, [](const Event& event) {
        return std::holds_alternative<event::Fault>(event.detail);
    })) << "no fault strikes";
}

TEST(Latency, leads_to_as_many_schedules_in_tables_and_in_the_cluster) {
    for (const char* name : {"set_nx_lua", "setnx_getset_epoch"}) {
        const Algorithm& lock = *algorithm_named(name);
        for (const char* faults : {"none", "lose_reply=1"}) {
            Bounds bounds = bounds_with(lock, faults, 2, 1, 1);
            bounds.latency = 20ms;
            bounds.any_length = false;
            SCOPED_TRACE(std::string(name) + " under " + faults);
            expect_the_same_of_tables(
                lock, bounds, every_schedule(lock, bounds, 400'000, kGoOn, [](std::uint64_t) {}));
        }
    }
}

TEST(Latency, is_none_of_the_oracle) {
    const Algorithm& lock = *algorithm_named("perfect_lock");
    Bounds bounds = bounds_with(lock, "none", 2, 1, 2);
    const SearchResult at_once = search(lock, bounds);
    bounds.latency = 40ms;
    EXPECT_EQ(search(lock, bounds).digest, at_once.digest);
}

}  // namespace
}  // namespace locklab::message_time_test
