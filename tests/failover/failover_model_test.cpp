#include "harness/failover/failover_model.h"

#include <gtest/gtest.h>

namespace locklab::failover_model_test {
namespace {

using namespace std::chrono_literals;

constexpr FailoverShape kShape{1, 200ms, 30s};
constexpr FailoverOutcome kKept{.granted = true};
constexpr FailoverOutcome kGrantedTwice{.granted = true, .lost = true, .twice = true};
constexpr FailoverOutcome kLost{.granted = true, .lost = true};
constexpr FailoverOutcome kNotGranted{};

FailoverOutcome model(Duration lag, Safeguard safeguard, Duration killed) {
    return modelled_failover({lag, safeguard}, kShape, killed, 1500ms);
}

TEST(FailoverModel, loses_a_lock_that_is_younger_than_the_lag) {
    EXPECT_EQ(model(50ms, Safeguard::none, 0ms), kGrantedTwice);
    EXPECT_EQ(model(50ms, Safeguard::none, 49ms), kGrantedTwice);
    EXPECT_EQ(model(50ms, Safeguard::none, 50ms), kKept);
    EXPECT_EQ(model(50ms, Safeguard::none, 199ms), kKept);
}

TEST(FailoverModel, loses_nothing_where_the_replica_is_never_behind) {
    EXPECT_EQ(model(0ms, Safeguard::none, 0ms), kKept);
    EXPECT_EQ(model(0ms, Safeguard::wait, 0ms), kKept);
    EXPECT_EQ(model(0ms, Safeguard::min_replicas, 0ms), kKept);
}

TEST(FailoverModel, who_waits_for_the_replica_has_no_lock_before_it_has_the_key) {
    EXPECT_EQ(model(50ms, Safeguard::wait, 49ms), kNotGranted);
    EXPECT_EQ(model(50ms, Safeguard::wait, 50ms), kKept);
}

/// WAIT gives up after 500 ms, and the client deletes its key.
TEST(FailoverModel, who_waits_in_vain_gives_up) {
    EXPECT_EQ(modelled_failover({700ms, Safeguard::wait}, kShape, 650ms, 1500ms), kNotGranted);
    EXPECT_EQ(modelled_failover({700ms, Safeguard::wait}, kShape, 3s, 1500ms), kNotGranted);
    // The replica has the key, and not yet its deletion.
    EXPECT_EQ(modelled_failover({700ms, Safeguard::wait}, kShape, 800ms, 1500ms),
              (FailoverOutcome{.left = true}));
}

TEST(FailoverModel, servers_that_want_a_replica_lose_the_lock_and_grant_it_to_nobody) {
    EXPECT_EQ(model(50ms, Safeguard::min_replicas, 49ms), kLost);
    EXPECT_EQ(model(50ms, Safeguard::min_replicas, 50ms), kKept);
}

}  // namespace
}  // namespace locklab::failover_model_test
