// A driver of our own locks: a process that speaks the driver protocol and runs one lock against
// the given servers, as a library would. So locks with known verdicts can run behind the proxy too.
#pragma once

#include <string_view>

#include "harness/core/lock.h"

namespace locklab {

/// Answers requests on stdin until it ends or `exit` comes. Returns the exit code of the process.
/// Throws FormatError for a line that breaks the protocol.
int drive_own_lock(const Algorithm& algorithm);

}  // namespace locklab
