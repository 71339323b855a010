// A driver that takes off its mark would be paused in part, and its processes left behind.

#include "harness/driver/lost_mark.h"

#include <chrono>

#include "tests/driver/shell_driver.h"

namespace locklab::lost_mark_test {
namespace {

/// What is said once the shell has done this.
std::string said_of(const std::string& script) {
    DriverProcess driver(shell(script + "; echo done; read line"));
    std::string line;
    EXPECT_EQ(driver.hear(line, std::chrono::seconds(20)), DriverProcess::Heard::line);
    return lost_mark(driver, "x");
}

TEST(LostMark, who_keeps_it_is_well) { EXPECT_EQ(said_of(":"), ""); }

TEST(LostMark, who_changes_its_limit_is_named) {
    const std::string sentence =
        "The driver of x has changed its limit of file locks (RLIMIT_LOCKS, 'ulimit -x'), by which "
        "locklab finds all of its processes to pause and to end them; right would be to leave it "
        "as it was.";
    EXPECT_EQ(said_of("prlimit --pid $$ --locks=3"), sentence);
    EXPECT_EQ(said_of("prlimit --pid $$ --locks=unlimited"), sentence);
}

TEST(LostMark, who_has_ended_has_lost_nothing) {
    DriverProcess driver(shell("exit 0"));
    std::string line;
    EXPECT_EQ(driver.hear(line, std::chrono::seconds(20)), DriverProcess::Heard::end);
    EXPECT_EQ(driver.how_it_ended(), "ended with code 0");
    EXPECT_EQ(lost_mark(driver, "x"), "");
    driver.kill();
    EXPECT_EQ(lost_mark(driver, "x"), "");
}

}  // namespace
}  // namespace locklab::lost_mark_test
