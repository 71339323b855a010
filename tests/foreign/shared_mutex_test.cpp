#include "harness/foreign/shared_mutex.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace locklab::shared_mutex_test {
namespace {

std::string own_name() { return "locklab-test-" + std::to_string(getpid()); }

TEST(SharedMutex, is_had_by_one) {
    SharedMutex first(own_name());
    SharedMutex second(own_name());
    EXPECT_TRUE(first.take());
    EXPECT_FALSE(first.take());
    EXPECT_FALSE(second.take());
    EXPECT_FALSE(second.give());
    EXPECT_TRUE(first.give());
    EXPECT_TRUE(second.take());
}

TEST(SharedMutex, is_given_back_when_its_process_dies) {
    const std::string name = own_name();
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        SharedMutex mutex(name);
        const char taken = mutex.take() ? 'y' : 'n';
        if (write(ready[1], &taken, 1) != 1) _exit(1);
        pause();
        _exit(1);
    }
    char taken = 0;
    ASSERT_EQ(read(ready[0], &taken, 1), 1);
    EXPECT_EQ(taken, 'y');
    SharedMutex mutex(name);
    EXPECT_FALSE(mutex.take());
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(mutex.take());
    close(ready[0]);
    close(ready[1]);
}

}  // namespace
}  // namespace locklab::shared_mutex_test
