#include "harness/failover/failover_cell.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace locklab::failover_cell_test {
namespace {

using namespace std::chrono_literals;

TEST(FailoverCell, names_of_safeguards_are_read_back) {
    for (const SafeguardRow& row : kSafeguards) {
        EXPECT_EQ(safeguard_named(row.name), row.safeguard);
        EXPECT_EQ(name_of(row.safeguard), row.name);
    }
    EXPECT_THROW(safeguard_named("waits"), std::invalid_argument);
}

TEST(FailoverCell, a_safeguard_that_waits_needs_another_lock) {
    EXPECT_EQ(lock_of({5ms, Safeguard::none}).name, "set_nx_lua");
    EXPECT_EQ(lock_of({5ms, Safeguard::min_replicas}).name, "set_nx_lua");
    EXPECT_EQ(lock_of({5ms, Safeguard::wait}).name, "wait_replicated");
    EXPECT_EQ(lock_of({5ms, Safeguard::wait_on_disk}).name, "wait_on_disk");
    const LockOptions options = options_of({5ms, Safeguard::wait}, {1, 200ms, 20s});
    EXPECT_EQ(options.ttl, 20s);
    EXPECT_EQ(options.clock_unit, 1ms);
}

TEST(FailoverCell, kills_come_within_their_time_and_follow_from_seed_and_run) {
    std::set<Duration> seen;
    for (std::uint64_t run = 0; run < 500; ++run) {
        const Duration kill = draw_kill({7, 200ms, 30s}, run);
        EXPECT_GE(kill, 0ms);
        EXPECT_LT(kill, 200ms);
        EXPECT_EQ(kill, draw_kill({7, 200ms, 30s}, run));
        seen.insert(kill);
    }
    EXPECT_GT(seen.size(), 490u);
    EXPECT_LT(*seen.begin(), 5ms);
    EXPECT_GT(*seen.rbegin(), 195ms);
    EXPECT_NE(draw_kill({7, 200ms, 30s}, 0), draw_kill({8, 200ms, 30s}, 0));
}

}  // namespace
}  // namespace locklab::failover_cell_test
