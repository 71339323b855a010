// Servers that Debian's stable release does not have: from pinned wheels, in build/servers/.
#pragma once

#include <vector>

#include "harness/foreign/library.h"
#include "harness/live/server_program.h"

namespace locklab {

std::vector<ServerKind> pinned_servers();

/// As install() takes it. `server`: one of pinned_servers().
Library pinned_server(ServerKind server);

/// Throws UsageError with one sentence if it is not installed.
ServerProgram program_of(ServerKind server);

}  // namespace locklab
