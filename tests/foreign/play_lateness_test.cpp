// Time that nobody asked for counts by the window of a TTL, and whose it is comes from its parts.

#include "harness/foreign/play_lateness.h"

#include <gtest/gtest.h>

namespace locklab::play_lateness_test {
namespace {

constexpr Duration kMs = std::chrono::milliseconds(1);
constexpr Duration kTtl = 500 * kMs;
constexpr Duration kMost = 50 * kMs;

PlayLateness::Stretch stretch(int end_ms, int late_ms) {
    return {.end = Instant(end_ms * kMs), .length = late_ms * kMs, .late = late_ms * kMs};
}

TEST(PlayLateness, a_little_at_each_of_many_tries_is_none) {
    PlayLateness times;
    for (int i = 1; i <= 100; ++i) times.add(stretch(100 * i, 8));
    EXPECT_EQ(times.more_than(kMost, kTtl).why, "");
    EXPECT_NE(times.more_than(39 * kMs, kTtl).why, "") << "five fall within a TTL";
    EXPECT_EQ(times.more_than(40 * kMs, kTtl).why, "");
}

TEST(PlayLateness, much_within_one_ttl_is_found_wherever_it_is) {
    for (const int begin : {0, 700, 5000}) {
        PlayLateness times;
        for (int i = 1; i <= 100; ++i) {
            times.add(stretch(100 * i, 1));
            if (100 * i == begin || i == 1) times.add(stretch(100 * i + 10, begin == 0 ? 60 : 50));
        }
        EXPECT_NE(times.more_than(kMost, kTtl).why, "") << begin;
    }
}

TEST(PlayLateness, what_clients_do_while_the_script_waits_is_none_unless_it_takes_too_long) {
    PlayLateness times;
    for (int i = 1; i <= 100; ++i) {
        times.add({.end = Instant(100 * i * kMs), .length = 40 * kMs});
    }
    EXPECT_EQ(times.more_than(kMost, kTtl).why, "");
    times.add({.end = Instant(10'100 * kMs), .length = 60 * kMs, .machine = 60 * kMs});
    EXPECT_TRUE(times.more_than(kMost, kTtl).is_machines);
}

TEST(PlayLateness, tells_whose_it_is) {
    const auto found = [](PlayLateness::Stretch parts) {
        PlayLateness times;
        parts.end = Instant(kTtl);
        parts.late = parts.length = 100 * kMs;
        times.add(parts);
        return times.more_than(kMost, kTtl);
    };
    EXPECT_TRUE(found({.machine = 60 * kMs}).is_machines);
    for (const PlayLateness::Stretch& parts :
         {PlayLateness::Stretch{.machine = 20 * kMs, .step = 60 * kMs},
          PlayLateness::Stretch{.machine = 20 * kMs, .own = 60 * kMs}, PlayLateness::Stretch{}}) {
        EXPECT_FALSE(found(parts).is_machines);
    }
    EXPECT_EQ(found({.machine = 60 * kMs}).why, "the machine was late each time");
    EXPECT_EQ(found({.step = 60 * kMs}).why, "its driver was too slow by itself in each step");
    EXPECT_EQ(found({.own = 60 * kMs}).why,
              "its own waiting, between tries or at a server, took too long each time");
    EXPECT_EQ(found({}).why, "its clients send so much that the play does not keep up with them");
}

}  // namespace
}  // namespace locklab::play_lateness_test
