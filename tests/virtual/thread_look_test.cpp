// What is asked of the kernel about other threads.

#include "harness/virtual/thread_look.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

namespace locklab::thread_look_test {
namespace {

std::ptrdiff_t open_files() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
}

/// A thread that sleeps until it is no longer needed.
class Sleeper {
public:
    Sleeper()
        : thread_([this] {
              number_ = static_cast<pid_t>(syscall(SYS_gettid));
              number_.notify_one();
              ends_.wait(false);
          }) {
        number_.wait(0);
    }
    ~Sleeper() {
        ends_ = true;
        ends_.notify_one();
        thread_.join();
    }
    pid_t number() const { return number_; }

private:
    std::atomic<pid_t> number_{0};
    std::atomic<bool> ends_{false};
    std::thread thread_;
};

TEST(ThreadLook, sees_who_sleeps) {
    ThreadLook look;
    const Sleeper sleeper;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!look.sleeps(getpid(), sleeper.number())) {
        ASSERT_LT(std::chrono::steady_clock::now(), end);
        std::this_thread::yield();
    }
    EXPECT_FALSE(look.sleeps(getpid(), static_cast<pid_t>(syscall(SYS_gettid))));
}

/// A library that starts a thread for each try had locklab run out of files.
TEST(ThreadLook, keeps_few_files_of_threads_that_came_and_went) {
    ThreadLook look;
    const std::ptrdiff_t before = open_files();
    for (int i = 0; i < 300; ++i) {
        const Sleeper sleeper;
        look.sleeps(getpid(), sleeper.number());
    }
    EXPECT_LT(open_files(), before + 100);
}

}  // namespace
}  // namespace locklab::thread_look_test
