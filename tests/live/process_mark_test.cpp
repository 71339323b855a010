#include "harness/live/process_mark.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "harness/live/process_name.h"

namespace locklab::process_mark_test {
namespace {

/// Starts `sleep` with this mark, in a session of its own.
pid_t sleeper(const ProcessMark& mark) {
    const pid_t child = fork();
    if (child == 0) {
        mark.put_on();
        setsid();
        execlp("sleep", "sleep", "1000", nullptr);
        _exit(127);
    }
    return child;
}

bool bears(const ProcessMark& mark, pid_t process) {
    const std::vector<pid_t> all = mark.bearers();
    return std::ranges::find(all, process) != all.end();
}

void await_bearer(const ProcessMark& mark, pid_t process) {
    while (!bears(mark, process)) usleep(1000);
}

TEST(ProcessMark, each_is_another_one) {
    const ProcessMark one;
    const ProcessMark other;
    const pid_t process = sleeper(one);
    await_bearer(one, process);
    EXPECT_FALSE(bears(other, process));
    other.kill_bearers();
    EXPECT_NE(state_of(process), 0);
    one.kill_bearers();
    EXPECT_EQ(state_of(process), 0);
    EXPECT_TRUE(one.bearers().empty());
}

TEST(ProcessMark, what_the_dead_left_is_killed_by_the_next) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        const ProcessMark mark;
        const pid_t left = sleeper(mark);
        await_bearer(mark, left);
        if (write(told[1], &left, sizeof left) != sizeof left) _exit(1);
        raise(SIGKILL);
    }
    pid_t left = 0;
    ASSERT_EQ(read(told[0], &left, sizeof left), static_cast<ssize_t>(sizeof left));
    waitpid(parent, nullptr, 0);
    close(told[0]);
    close(told[1]);
    const ProcessMark living;
    const pid_t process = sleeper(living);
    await_bearer(living, process);
    EXPECT_NE(state_of(left), 0);
    EXPECT_GE(ProcessMark::kill_what_the_dead_left(), 1U);
    EXPECT_TRUE(state_of(left) == 0 || state_of(left) == 'Z');
    EXPECT_TRUE(bears(living, process));
    living.kill_bearers();
}

/// Its mark is off, and its parent gone.
TEST(ProcessMark, at_the_end_children_without_a_mark_are_killed_too) {
    const ProcessMark mark;
    std::array<int, 2> told{};
    ASSERT_EQ(pipe(told.data()), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        mark.put_on();
        const pid_t left = fork();
        if (left == 0) {
            rlimit limit{};
            getrlimit(RLIMIT_LOCKS, &limit);
            limit.rlim_cur = limit.rlim_max;
            setrlimit(RLIMIT_LOCKS, &limit);
            setsid();
            const pid_t self = getpid();
            if (write(told[1], &self, sizeof self) != sizeof self) _exit(1);
            while (true) pause();
        }
        _exit(0);
    }
    pid_t left = 0;
    ASSERT_EQ(read(told[0], &left, sizeof left), static_cast<ssize_t>(sizeof left));
    close(told[0]);
    close(told[1]);
    waitpid(parent, nullptr, 0);
    mark.kill_bearers();
    ProcessMark::kill_children({left});
    EXPECT_NE(state_of(left), 0) << "nobody finds it by its mark";
    ProcessMark::kill_children({});
    EXPECT_EQ(state_of(left), 0);
}

/// Without a mark its pauses would stop a part of it, and what it starts would be left.
TEST(ProcessMark, a_limit_that_is_too_low_is_a_sentence) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit low{7, 7};
        setrlimit(RLIMIT_LOCKS, &low);
        // A user who may not raise it again.
        if (geteuid() == 0 && setuid(65'534) != 0) _exit(2);
        std::string said = "nothing";
        try {
            const ProcessMark mark;
        } catch (const std::runtime_error& error) {
            said = error.what();
        }
        [[maybe_unused]] const ssize_t ignored = write(told[1], said.data(), said.size());
        _exit(0);
    }
    close(told[1]);
    std::array<char, 1000> said{};
    const ssize_t size = read(told[0], said.data(), said.size());
    close(told[0]);
    waitpid(child, nullptr, 0);
    ASSERT_GE(size, 0);
    EXPECT_EQ(std::string(said.data(), static_cast<std::size_t>(size)),
              "No process can be started that is found again: the hard limit of file locks "
              "(RLIMIT_LOCKS, 'ulimit -Hx') is 7, and locklab marks processes by it; right would "
              "be 'unlimited', as Linux has no other use for it.");
}

TEST(ProcessMark, who_is_stopped_stands_still) {
    const ProcessMark mark;
    const pid_t process = sleeper(mark);
    await_bearer(mark, process);
    EXPECT_FALSE(stands_still(process));
    kill(process, SIGSTOP);
    while (!stands_still(process)) usleep(1000);
    mark.kill_bearers();
    EXPECT_TRUE(stands_still(process)) << "it is gone";
}

}  // namespace
}  // namespace locklab::process_mark_test
