// A driver that stands still though nobody here stopped it: it stopped itself, or another process
// did (SIGSTOP). It answers nothing then, which is no fault of its lock.
#pragma once

#include <sys/types.h>

#include <string>

namespace locklab {

/// `driver` is a child of this process, which has not stopped it, and wraps `library`. A sentence
/// if it stands still by a signal; else empty.
std::string unasked_stop(pid_t driver, const std::string& library);

}  // namespace locklab
