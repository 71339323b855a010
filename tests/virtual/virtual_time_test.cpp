// Processes in virtual time: their clocks stand still, and each of their waits ends when it is
// told.

#include "harness/virtual/virtual_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tests/virtual/preloaded.h"

namespace locklab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using enum VirtualTime::Rest;

constexpr Duration kLimit = seconds(10);

class VirtualTimeTest : public ::testing::Test {
protected:
    Preloaded& start(const std::string& script, std::size_t number = 0) {
        auto environment = time_.environment(number);
        if (seed_ != 0) time_.seed(number, seed_);
        processes_.push_back(std::make_unique<Preloaded>(script, std::move(environment)));
        time_.started(number, processes_.back()->process().pid());
        return *processes_.back();
    }
    VirtualTime::Rest rest(std::size_t number = 0) { return time_.await_rest(number, kLimit); }

    VirtualTime time_;
    std::vector<std::unique_ptr<Preloaded>> processes_;
    std::uint64_t seed_ = 0;
};

TEST_F(VirtualTimeTest, a_long_sleep_takes_no_time) {
    Preloaded& sleeper = start(
        "import time\n"
        "print(time.time(), time.monotonic())\n"
        "time.sleep(100000)\n"
        "print(time.time(), time.monotonic())");
    ASSERT_EQ(rest(), at_rest);
    EXPECT_EQ(sleeper.said(), "1767225600.0 1000.0");
    ASSERT_EQ(time_.deadline(0), Instant(seconds(100'000)));
    time_.move_to(Instant(seconds(99'999)));
    time_.wake(0);
    ASSERT_EQ(rest(), at_rest);
    EXPECT_FALSE(time_.is_due(0));
    time_.move_to(Instant(seconds(100'000)));
    EXPECT_TRUE(time_.is_due(0));
    time_.wake(0);
    EXPECT_EQ(rest(), ended);
    EXPECT_EQ(sleeper.said(), "1767325600.0 101000.0");
}

TEST_F(VirtualTimeTest, each_kind_of_wait_has_its_deadline) {
    const std::vector<std::string> waits{
        "time.sleep(3)",
        "select.select([], [], [], 3)",
        "select.poll().poll(3000)",
        "select.epoll().poll(3)",
        "threading.Event().wait(3)",
        "sock[0].settimeout(3); sock[0].recv(1)",
    };
    for (const std::string& wait : waits) {
        SCOPED_TRACE(wait);
        start(
            "import select, socket, sys, threading, time\n"
            "sock = socket.socketpair()\n"
            "try:\n    " +
            wait +
            "\nexcept TimeoutError: pass\n"
            "print('over', time.monotonic())\n"
            "sys.stdin.readline()");
        const Instant begin = time_.now();
        ASSERT_EQ(rest(), at_rest);
        ASSERT_EQ(time_.deadline(0), begin + seconds(3));
        time_.move_to(begin + seconds(3));
        time_.wake(0);
        ASSERT_EQ(rest(), at_rest);
        EXPECT_EQ(processes_.back()->said().substr(0, 4), "over");
        EXPECT_EQ(time_.deadline(0), std::nullopt);
        processes_.clear();
    }
}

TEST_F(VirtualTimeTest, who_is_kicked_has_read_what_was_written_when_it_is_at_rest) {
    Preloaded& echo = start("import sys\nfor line in sys.stdin: print(line.strip() * 2)");
    ASSERT_EQ(rest(), at_rest);
    for (int i = 0; i < 200; ++i) {
        time_.show(0);
        echo.say(std::to_string(i));
        time_.kick(0);
        ASSERT_EQ(rest(), at_rest);
        std::string line;
        ASSERT_EQ(echo.process().hear(line, Duration(0)), DriverProcess::Heard::line) << i;
        EXPECT_EQ(line, std::to_string(i) + std::to_string(i));
    }
}

TEST_F(VirtualTimeTest, who_is_not_shown_the_time_does_not_act) {
    Preloaded& sleeper = start("import time\ntime.sleep(5)\nprint('up')");
    ASSERT_EQ(rest(), at_rest);
    time_.move_to(Instant(seconds(50)));
    std::string line;
    EXPECT_EQ(sleeper.process().hear(line, milliseconds(30)), DriverProcess::Heard::silence);
    EXPECT_EQ(rest(), at_rest);
    time_.wake(0);
    EXPECT_EQ(sleeper.said(), "up");
}

TEST_F(VirtualTimeTest, what_is_drawn_by_chance_follows_from_the_seed) {
    const std::string script =
        "import os, random, uuid\n"
        "print(os.urandom(4).hex(), random.random(), uuid.uuid4(), hash('x'))";
    const auto drawn = [&](std::uint64_t seed) {
        seed_ = seed;
        return start(script).said();
    };
    const std::string first = drawn(7);
    EXPECT_EQ(drawn(7), first);
    EXPECT_NE(drawn(8), first);
    EXPECT_NE(first, "nothing");
}

TEST_F(VirtualTimeTest, one_that_never_waits_is_restless) {
    start("while True: pass");
    EXPECT_EQ(time_.await_rest(0, milliseconds(400)), restless);
}

TEST_F(VirtualTimeTest, one_that_does_not_take_the_library_is_a_stranger) {
    auto environment = time_.environment(0);
    environment["LD_PRELOAD"] = "";
    Preloaded process("import time\ntime.sleep(100)", environment);
    time_.started(0, process.process().pid());
    EXPECT_EQ(time_.await_rest(0, milliseconds(400)), stranger);
}

}  // namespace
}  // namespace locklab
