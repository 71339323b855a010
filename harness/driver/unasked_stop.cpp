#include "harness/driver/unasked_stop.h"

#include <sys/wait.h>

#include <cstring>

namespace locklab {

std::string unasked_stop(pid_t driver, const std::string& library) {
    siginfo_t found{};
    const int options = WSTOPPED | WNOHANG | WNOWAIT;
    const bool looked = waitid(P_PID, static_cast<id_t>(driver), &found, options) == 0;
    if (!looked || found.si_pid == 0) return {};
    return "The driver of " + library + " was stopped by a signal that locklab did not send (SIG" +
           sigabbrev_np(found.si_status) + "); what comes of the lock after that shows nothing.";
}

}  // namespace locklab
