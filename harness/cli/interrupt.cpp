#include "harness/cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace locklab {

namespace {

/// timeout(1) signals a program and its process group, so the same signal comes twice at once.
constexpr std::int64_t kAtOnceMs = 1000;

StopFlag flag{false};
std::atomic<std::int64_t> first_ms{0};
static_assert(StopFlag::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may set them");

void on_signal(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);  // outside any run
    const std::int64_t now_ms = now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
    std::int64_t first = 0;
    if (first_ms.compare_exchange_strong(first, now_ms)) {
        flag = true;
    } else if (now_ms - first > kAtOnceMs) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

}  // namespace

const StopFlag& interrupt_flag() {
    static const bool installed = [] {
        struct sigaction action {};
        action.sa_handler = on_signal;
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
        return true;
    }();
    static_cast<void>(installed);
    return flag;
}

}  // namespace locklab
