#include "harness/foreign/still_watch.h"

#include <gtest/gtest.h>

namespace locklab::still_watch_test {
namespace {

using namespace std::chrono_literals;

constexpr ClientId kOne{1};
constexpr ClientId kOther{2};

class StillWatchTest : public testing::Test {
protected:
    static StillWatch::Clock::time_point at(std::chrono::milliseconds after) {
        return StillWatch::Clock::time_point(1h + after);
    }
    void command(ClientId client, StillWatch::Clock::time_point when,
                 LinkMoment moment = LinkMoment::request) {
        EventHead head;
        head.at_ns = std::chrono::nanoseconds(when.time_since_epoch()).count();
        head.moment = moment;
        watch_.see(client, head);
    }
    StillWatch watch_{50ms};
};

TEST_F(StillWatchTest, who_is_paused_may_go_on_afterwards) {
    command(kOne, at(99ms));
    watch_.paused(kOne, at(100ms));
    watch_.resumed(kOne, at(300ms), false);
    for (const auto when : {140ms, 150ms, 301ms}) command(kOne, at(when));
    command(kOther, at(200ms));
    command(kOne, at(200ms), LinkMoment::answer);
    EXPECT_EQ(watch_.went_on(), "");
}

TEST_F(StillWatchTest, a_command_during_a_pause_is_none_of_a_driver_that_stands_still) {
    watch_.paused(kOne, at(100ms));
    watch_.resumed(kOne, at(300ms), false);
    watch_.paused(kOne, at(400ms));
    command(kOne, at(460ms));
    command(kOne, at(490ms));
    EXPECT_EQ(watch_.went_on(), "a command of client 1 came 60ms after it was paused");
}

TEST_F(StillWatchTest, nor_is_an_answer) {
    watch_.paused(kOther, at(100ms));
    watch_.resumed(kOther, at(300ms), true);
    EXPECT_EQ(watch_.trouble_with("x"),
              "The driver of x is not all of it: client 2 answers while it is paused; right would "
              "be a driver that starts all processes that work for it.");
}

TEST_F(StillWatchTest, who_was_killed_sends_nothing) {
    watch_.killed(kOne, at(100ms));
    command(kOne, at(120ms));
    watch_.resumed(kOne, at(130ms), false);
    EXPECT_EQ(watch_.went_on(), "");
    command(kOne, at(2100ms));
    EXPECT_EQ(watch_.went_on(), "a command of client 1 came 2s after it was killed");
}

}  // namespace
}  // namespace locklab::still_watch_test
