// A driver that does nothing is not waited for, and one that works is, however long it takes.

#include "harness/driver/idle_watch.h"

#include <chrono>
#include <thread>

#include "tests/driver/shell_driver.h"

namespace locklab::idle_watch_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kMost = milliseconds(500);

/// Whether it was found idle within this time.
bool is_idle_within(const std::string& script, Duration time) {
    DriverProcess driver(shell(script));
    IdleWatch watch(driver, kMost);
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
        if (watch.is_idle()) return true;
        std::this_thread::sleep_for(milliseconds(20));
    }
    return false;
}

TEST(IdleWatch, who_waits_for_nothing_is_idle) {
    EXPECT_TRUE(is_idle_within("sleep 1000", seconds(20)));
    EXPECT_TRUE(is_idle_within("read line; read line", seconds(20)));
}

TEST(IdleWatch, who_works_is_not_idle) {
    EXPECT_FALSE(is_idle_within("while :; do :; done", 3 * kMost));
}

TEST(IdleWatch, whose_child_works_is_not_idle) {
    EXPECT_FALSE(is_idle_within("setsid sh -c 'while :; do :; done' & wait", 3 * kMost));
}

TEST(IdleWatch, it_remembers) {
    DriverProcess driver(shell("sleep 1000"));
    IdleWatch watch(driver, kMost);
    for (int i = 0; i < 1000 && !watch.is_idle(); ++i) {
        std::this_thread::sleep_for(milliseconds(20));
    }
    EXPECT_TRUE(watch.is_idle());
    EXPECT_TRUE(watch.is_idle());
}

}  // namespace
}  // namespace locklab::idle_watch_test
