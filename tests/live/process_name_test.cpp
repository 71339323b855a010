#include "harness/live/process_name.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace locklab::process_name_test {
namespace {

/// The name of a process that lives until it is killed.
struct Child {
    Child() {
        int tell[2];
        EXPECT_EQ(pipe(tell), 0);
        pid = fork();
        if (pid == 0) {
            const std::string own = this_process();
            [[maybe_unused]] const ssize_t told = write(tell[1], own.data(), own.size());
            for (;;) pause();
        }
        char text[256];
        const ssize_t size = read(tell[0], text, sizeof text);
        name.assign(text, size > 0 ? static_cast<std::size_t>(size) : 0);
        close(tell[0]);
        close(tell[1]);
    }
    void end() {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
    pid_t pid = 0;
    std::string name;
};

TEST(ProcessName, tells_the_dead_from_the_living) {
    EXPECT_FALSE(is_dead(this_process()));
    Child child;
    EXPECT_NE(child.name, this_process());
    EXPECT_FALSE(is_dead(child.name));
    child.end();
    EXPECT_TRUE(is_dead(child.name));
}

TEST(ProcessName, knows_a_number_that_was_given_again) {
    const std::string own = this_process();
    const std::string other = own.substr(0, own.rfind(' ') + 1) + "1";
    EXPECT_TRUE(is_dead(other));
}

TEST(ProcessName, leaves_strangers_alone) {
    EXPECT_FALSE(is_dead(""));
    EXPECT_FALSE(is_dead("somebody"));
    EXPECT_FALSE(is_dead("00000000-0000-0000-0000-000000000000 pid:[1] 999999 1"));
}

}  // namespace
}  // namespace locklab::process_name_test
