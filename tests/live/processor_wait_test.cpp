#include "harness/live/processor_wait.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "harness/live/processors.h"

namespace locklab::processor_wait_test {
namespace {

void work_for(Duration time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) continue;
}

/// Two threads on one processor: each waits while the other works.
TEST(ProcessorWait, grows_while_another_has_the_processor) {
    const auto before = processor_wait(getpid());
    ASSERT_TRUE(before.has_value()) << "this kernel does not count it";
    constexpr Duration kTime = std::chrono::milliseconds(100);
    const KeptOn kept(processors().front());
    std::thread other([&] { work_for(kTime); });
    work_for(kTime);
    const auto after = processor_wait(getpid());
    other.join();
    ASSERT_TRUE(after.has_value());
    EXPECT_GT(*after - *before, kTime / 5);
}

TEST(ProcessorWait, of_no_process_is_unknown) { EXPECT_EQ(processor_wait(-1), std::nullopt); }

}  // namespace
}  // namespace locklab::processor_wait_test
