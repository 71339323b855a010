// A live process whose clock is set wrong while it runs.

#include "harness/live/wrong_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/virtual/preloaded.h"

namespace locklab::wrong_clock_test {
namespace {

using std::chrono::milliseconds;

class WrongClockTest : public ::testing::Test {
protected:
    WrongClockTest()
        : process_(
              "import sys, time\n"
              "for line in sys.stdin: print(time.time_ns() // 1000, time.monotonic_ns() // 1000)",
              clock_.environment()) {}

    struct Shown {
        Duration ahead{0};      ///< of the right wall clock
        Duration monotonic{0};  ///< ahead of the machine's
    };
    /// Half a second is more than an answer takes.
    Shown shown() {
        process_.say();
        const std::string line = process_.said();
        char* rest = nullptr;
        const Duration wall(std::strtoll(line.c_str(), &rest, 10));
        const Duration monotonic(std::strtoll(rest, nullptr, 10));
        const auto right = std::chrono::system_clock::now().time_since_epoch();
        const auto machine = std::chrono::steady_clock::now().time_since_epoch();
        return {wall - std::chrono::duration_cast<Duration>(right),
                monotonic - std::chrono::duration_cast<Duration>(machine)};
    }
    static void expect_near(Duration shown, Duration right) {
        EXPECT_LT(std::abs((shown - right).count()), 500'000) << shown.count() << " us";
    }

    WrongClock clock_;
    Preloaded process_;
};

TEST_F(WrongClockTest, is_right_until_it_jumps_either_way) {
    expect_near(shown().ahead, Duration(0));
    for (const int hours : {1, -2}) {
        clock_.set_ahead(std::chrono::hours(hours));
        expect_near(shown().ahead, std::chrono::hours(hours));
        expect_near(shown().monotonic, Duration(0));
    }
    clock_.set_ahead(Duration(0));
    expect_near(shown().ahead, Duration(0));
}

TEST_F(WrongClockTest, drifts_from_what_it_shows) {
    clock_.set_ahead(std::chrono::seconds(10));
    // A hundred times too fast.
    clock_.set_drift(99'000'000);
    std::this_thread::sleep_for(milliseconds(50));
    const Duration least = std::chrono::seconds(10) + milliseconds(50) * 99;
    EXPECT_GE(shown().ahead, least - milliseconds(500));
    clock_.set_drift(0);
    const Duration stays = clock_.ahead();
    EXPECT_GE(stays, least);
    expect_near(shown().ahead, stays);
}

/// A library may be started by a shell around it, or do its work in processes of its own.
TEST_F(WrongClockTest, is_that_of_what_its_process_starts_too) {
    clock_.set_ahead(std::chrono::hours(5));
    Preloaded starter(
        "import os, subprocess, sys, time\n"
        "subprocess.run([sys.executable, '-c', 'import time; print(time.time_ns() // 1000)'])\n"
        "if os.fork() == 0: print(time.time_ns() // 1000, flush=True); os._exit(0)",
        clock_.environment());
    for (const char* who : {"started", "forked"}) {
        SCOPED_TRACE(who);
        const Duration wall(std::strtoll(starter.said().c_str(), nullptr, 10));
        const auto right = std::chrono::system_clock::now().time_since_epoch();
        const Duration ahead = wall - std::chrono::duration_cast<Duration>(right);
        EXPECT_GT(ahead, std::chrono::hours(4));
    }
}

TEST(WrongClock, is_taken_by_whoever_asks_it_and_never_by_a_static_program) {
    WrongClock taken;
    Preloaded python("import time; print(time.monotonic() > 0)", taken.environment());
    EXPECT_EQ(python.said(), "True");
    EXPECT_TRUE(taken.is_taken());
    taken.expect_process();
    EXPECT_FALSE(taken.is_taken());
    WrongClock none;
    DriverProcess process({{"/sbin/ldconfig", "--version"}, none.environment(), {}});
    std::string line;
    EXPECT_EQ(process.hear(line, std::chrono::seconds(10)), DriverProcess::Heard::line);
    EXPECT_FALSE(none.is_taken());
}

TEST_F(WrongClockTest, a_wait_takes_the_time_that_it_takes) {
    clock_.set_ahead(std::chrono::hours(5));
    Preloaded sleeper(
        "import time\nt = time.monotonic()\ntime.sleep(0.05)\n"
        "print(0.05 <= time.monotonic() - t < 5)",
        clock_.environment());
    EXPECT_EQ(sleeper.said(), "True");
}

}  // namespace
}  // namespace locklab::wrong_clock_test
