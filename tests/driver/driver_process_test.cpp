#include "harness/driver/driver_process.h"

#include <array>
#include <fstream>
#include <optional>

#include "tests/driver/shell_driver.h"

namespace locklab::driver_process_test {
namespace {

using Heard = DriverProcess::Heard;
using std::chrono::milliseconds;
constexpr Duration kLong = std::chrono::seconds(20);

TEST(DriverProcess, is_told_lines_and_says_lines) {
    DriverProcess driver(shell("while read line; do echo \"heard $line\"; done"));
    std::string line;
    EXPECT_TRUE(driver.say("one\ntwo\n"));
    EXPECT_EQ(driver.hear(line, kLong), Heard::line);
    EXPECT_EQ(line, "heard one");
    EXPECT_EQ(driver.hear(line, kLong), Heard::line);
    EXPECT_EQ(line, "heard two");
    EXPECT_EQ(driver.hear(line, milliseconds(10)), Heard::silence);
    driver.say_no_more();
    EXPECT_EQ(driver.hear(line, kLong), Heard::end);
}

TEST(DriverProcess, has_its_own_environment_and_folder) {
    DriverProcess driver({{"sh", "-c", "echo $LOCKLAB_TOLD; pwd"}, {{"LOCKLAB_TOLD", "x y"}}, "/"});
    std::string line;
    driver.hear(line, kLong);
    EXPECT_EQ(line, "x y");
    driver.hear(line, kLong);
    EXPECT_EQ(line, "/");
}

TEST(DriverProcess, one_that_cannot_be_started_is_a_sentence) {
    try {
        DriverProcess driver({{"no-such-program-anywhere"}});
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(),
                     "The driver cannot be started: no-such-program-anywhere: No such file or "
                     "directory.");
    }
}

TEST(DriverProcess, tells_how_it_ended_and_what_it_said_last) {
    DriverProcess driver(shell("echo first >&2; echo 'the last' >&2; echo >&2; exit 3"));
    std::string line;
    EXPECT_EQ(driver.hear(line, kLong), Heard::end);
    driver.kill();
    EXPECT_EQ(driver.how_it_ended(), "ended with code 3");
    EXPECT_EQ(driver.last_words(), "the last");
}

TEST(DriverProcess, keeps_the_end_of_a_long_stderr) {
    DriverProcess driver(shell("yes | head -c 3000000 >&2; echo end >&2; echo done"));
    std::string line;
    EXPECT_EQ(driver.hear(line, kLong), Heard::line);
    driver.kill();
    EXPECT_EQ(driver.last_words(), "end");
}

bool is_there(pid_t process) { return kill(process, 0) == 0; }

/// In its group, in a session of its own, started by one that has ended meanwhile, and by one in
/// another session.
TEST(DriverProcess, nothing_that_it_started_is_left) {
    std::vector<pid_t> started;
    {
        DriverProcess driver(
            shell("sleep 1000 & echo $!\n"
                  "setsid sh -c 'echo $$; exec sleep 1000' &\n"
                  "(setsid sh -c 'sleep 1000 & echo $!' &)\n"
                  "setsid bash -c 'echo $$; setsid sleep 1000 & echo $!; wait' &\n"
                  "wait"));
        for (std::string line; started.size() < 5;) {
            ASSERT_EQ(driver.hear(line, kLong), Heard::line);
            started.push_back(static_cast<pid_t>(std::stol(line)));
            EXPECT_TRUE(is_there(started.back()));
        }
    }
    for (const pid_t each : started) EXPECT_FALSE(is_there(each)) << each;
}

/// One that its starter gave another environment, and what that one started.
TEST(DriverProcess, what_bears_no_mark_is_left_by_nobody) {
    std::vector<pid_t> started;
    {
        DriverProcess driver(
            shell("setsid env -i /bin/sh -c 'echo $$; setsid sleep 1000 & echo $!; wait' & wait"));
        for (std::string line; started.size() < 2;) {
            ASSERT_EQ(driver.hear(line, kLong), Heard::line);
            started.push_back(static_cast<pid_t>(std::stol(line)));
        }
    }
    for (const pid_t each : started) EXPECT_FALSE(is_there(each)) << each;
}

/// Daemons: nobody's child, in a session of their own, with an environment of their own, under
/// another name; and the driver has ended before anybody looked.
TEST(DriverProcess, a_daemon_is_left_by_nobody) {
    const std::string daemon =
        "(setsid env -i /bin/sh -c '(setsid env -i /bin/bash -c \"echo \\$\\$; exec -a init sleep "
        "1000\" &)' &)\n";
    for (const char* end : {"sleep 1000", "sleep 0.2; exit 0"}) {
        pid_t started = 0;
        {
            DriverProcess driver(shell(daemon + end));
            std::string line;
            ASSERT_EQ(driver.hear(line, kLong), Heard::line);
            started = static_cast<pid_t>(std::stol(line));
            EXPECT_TRUE(is_there(started));
            if (end[6] == '0') {
                EXPECT_EQ(driver.hear(line, kLong), Heard::end);
            }
        }
        EXPECT_FALSE(is_there(started)) << end;
    }
}

/// What works for it in a session of its own stands still as well.
TEST(DriverProcess, all_that_it_started_stands_still) {
    const std::string works = "while read line; do echo $line; done";
    for (const std::string& script :
         {"setsid -w sh -c '" + works + "'",
          "exec 3<&0; (setsid env -i sh -c '" + works + "' <&3 &); sleep 1000"}) {
        DriverProcess driver(shell(script));
        std::string line;
        driver.say("a\n");
        EXPECT_EQ(driver.hear(line, kLong), Heard::line);
        ASSERT_TRUE(driver.stop());
        driver.say("b\n");
        EXPECT_EQ(driver.hear(line, milliseconds(200)), Heard::silence) << script;
        EXPECT_FALSE(driver.spoke_while_stopped());
        driver.go_on();
        EXPECT_EQ(driver.hear(line, kLong), Heard::line);
        EXPECT_EQ(line, "b");
    }
}

/// A process that was there before, and is no child of it, answers for it.
TEST(DriverProcess, who_speaks_while_it_is_stopped_is_noticed) {
    std::string line;
    DriverProcess driver(shell("echo $$; sleep 1000"));
    ASSERT_EQ(driver.hear(line, kLong), Heard::line);
    ASSERT_TRUE(driver.stop());
    EXPECT_FALSE(driver.spoke_while_stopped());
    std::ofstream("/proc/" + line + "/fd/1") << "I go on\n";
    EXPECT_TRUE(driver.spoke_while_stopped());
}

/// Whoever waits until its stderr is read is no slower than others.
TEST(DriverProcess, stderr_is_read_while_nothing_is_said) {
    DriverProcess driver(shell("head -c 1000000 /dev/zero >&2; echo done"));
    DriverProcess* const one = &driver;
    std::string line;
    // It would wait for all of kLong where its stderr is no reason to wake up.
    const auto began = std::chrono::steady_clock::now();
    while (driver.hear(line, Duration(0)) == Heard::silence) {
        DriverProcess::await_any({&one, 1}, kLong);
    }
    EXPECT_EQ(line, "done");
    EXPECT_LT(std::chrono::steady_clock::now() - began, kLong);
}

/// Each has its own mark.
TEST(DriverProcess, what_another_one_started_goes_on) {
    DriverProcess other(shell("setsid sh -c 'echo $$; exec sleep 1000' & wait"));
    std::string line;
    ASSERT_EQ(other.hear(line, kLong), Heard::line);
    { DriverProcess driver(shell("sleep 1000")); }
    EXPECT_TRUE(is_there(static_cast<pid_t>(std::stol(line))));
}

TEST(DriverProcess, a_line_without_end_is_a_flood) {
    DriverProcess driver(shell("yes | tr -d '\\n'"));
    std::string line;
    EXPECT_EQ(driver.hear(line, kLong), Heard::flood);
}

TEST(DriverProcess, a_line_is_no_longer_than_a_million_bytes) {
    std::string line;
    // It is all there, with its end, before anybody looks at it.
    DriverProcess longest(shell("head -c 1000000 /dev/zero | tr '\\0' x; echo; sleep 1000"));
    EXPECT_EQ(longest.hear(line, kLong), Heard::line);
    EXPECT_EQ(line.size(), 1'000'000U);
    DriverProcess longer(shell("head -c 1000001 /dev/zero | tr '\\0' x; echo; sleep 1000"));
    EXPECT_EQ(longer.hear(line, kLong), Heard::flood);
}

TEST(DriverProcess, stands_still_while_it_is_stopped) {
    DriverProcess driver(shell("while read line; do echo $line; done"));
    std::string line;
    driver.say("a\n");
    EXPECT_EQ(driver.hear(line, kLong), Heard::line);
    EXPECT_TRUE(driver.stop());
    driver.say("b\n");
    EXPECT_EQ(driver.hear(line, milliseconds(100)), Heard::silence);
    driver.go_on();
    EXPECT_EQ(driver.hear(line, kLong), Heard::line);
    EXPECT_EQ(line, "b");
}

TEST(DriverProcess, one_that_has_ended_cannot_be_stopped) {
    DriverProcess driver(shell("exit 0"));
    std::string line;
    EXPECT_EQ(driver.hear(line, kLong), Heard::end);
    EXPECT_FALSE(driver.stop());
}

TEST(DriverProcess, leaves_nothing_running) {
    std::string line;
    std::optional<DriverProcess> driver;
    // What it has started holds its stdout open, and it is stopped itself.
    driver.emplace(shell("sleep 1000 & sleep 1000 & echo ready; sleep 1000"));
    EXPECT_EQ(driver->hear(line, kLong), Heard::line);
    EXPECT_TRUE(driver->stop());
    const pid_t stopped = driver->pid();
    driver.reset();
    expect_gone(stopped);
    driver.emplace(shell("sleep 1000 & echo ready"));
    EXPECT_EQ(driver->hear(line, kLong), Heard::line);
    EXPECT_EQ(driver->hear(line, kLong), Heard::end) << "its child is no driver";
    const pid_t orphaned = driver->pid();
    driver.reset();
    expect_gone(orphaned);
}

TEST(DriverProcess, one_that_does_not_read_takes_no_more) {
    DriverProcess driver(shell("sleep 1000"));
    const std::string line(10'000, 'x');
    int taken = 0;
    while (taken < 1000 && driver.say(line)) ++taken;
    EXPECT_LT(taken, 1000);
}

TEST(DriverProcess, several_are_awaited_at_once) {
    DriverProcess quiet(shell("sleep 1000"));
    DriverProcess loud(shell("sleep 0.1; echo x; sleep 1000"));
    const std::array<DriverProcess*, 2> both{&quiet, &loud};
    DriverProcess::await_any(both, kLong);
    std::string line;
    EXPECT_EQ(loud.hear(line, Duration::zero()), Heard::line);
    EXPECT_EQ(quiet.hear(line, Duration::zero()), Heard::silence);
}

}  // namespace
}  // namespace locklab::driver_process_test
