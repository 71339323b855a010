#include "harness/cli/interrupt.h"

#include <csignal>

namespace locklab {

namespace {

StopFlag flag{false};
static_assert(StopFlag::is_always_lock_free, "a signal handler may set it");

void on_signal(int) { flag = true; }

}  // namespace

const StopFlag& interrupt_flag() {
    static const bool installed = [] {
        struct sigaction action {};
        action.sa_handler = on_signal;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
        return true;
    }();
    static_cast<void>(installed);
    return flag;
}

}  // namespace locklab
