#include "harness/live/reactor.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <system_error>

namespace locklab::reactor_test {
namespace {

constexpr int kSaid = 3;
constexpr rlim_t kFewFiles = 9;

/// libuv would end the process by itself, and what it had made would be left.
TEST(Reactor, says_that_files_are_too_few) {
    const auto make = [] {
        const rlimit limit{kFewFiles, kFewFiles};
        setrlimit(RLIMIT_NOFILE, &limit);
        try {
            Reactor reactor;
        } catch (const std::system_error& error) {
            _exit(error.code() == std::errc::too_many_files_open ? kSaid : 0);
        }
        _exit(0);
    };
    EXPECT_EXIT(make(), testing::ExitedWithCode(kSaid), "");
}

}  // namespace
}  // namespace locklab::reactor_test
