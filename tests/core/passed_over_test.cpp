// Who wants the lock in vain while others are granted it again and again.

#include "harness/core/passed_over.h"

#include <gtest/gtest.h>

namespace locklab {
namespace {

constexpr ClientId kA{0};
constexpr ClientId kB{1};

TEST(PassedOver, is_a_client_whose_want_outlasts_a_third_of_the_grants) {
    PassedOver passed_over(2, 30);
    passed_over.see(kB, event::Wants{});
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(passed_over.is(kB)) << i;
        passed_over.see(kA, event::Wants{});
        passed_over.see(kA, event::Granted{});
    }
    EXPECT_TRUE(passed_over.is(kB));
    EXPECT_FALSE(passed_over.is(kA)) << "it wants nothing now";
    passed_over.see(kB, event::Granted{});
    EXPECT_FALSE(passed_over.is(kB));
    passed_over.see(kB, event::Wants{});
    EXPECT_FALSE(passed_over.is(kB)) << "each want counts anew";
}

TEST(PassedOver, is_nobody_who_has_finished) {
    PassedOver passed_over(2, 1);
    passed_over.see(kB, event::Wants{});
    for (int i = 0; i < 8; ++i) passed_over.see(kA, event::Granted{});
    EXPECT_TRUE(passed_over.is(kB)) << "after eight, however short the run";
    passed_over.see(kB, event::Finished{});
    EXPECT_FALSE(passed_over.is(kB));
}

}  // namespace
}  // namespace locklab
