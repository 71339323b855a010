// A driver of our own locks: a process that speaks the driver protocol and runs one lock against
// the servers that it is told, as a library would. So our own locks can be behind the proxy too,
// where their verdicts are known.
#pragma once

#include <string_view>

#include "harness/core/lock.h"

namespace locklab {

/// Answers what comes on stdin until it ends, or `exit` is asked. The exit code of the process.
/// Throws FormatError for a line that is none of the protocol.
int drive_own_lock(const Algorithm& algorithm);

}  // namespace locklab
