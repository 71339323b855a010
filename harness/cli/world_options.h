// The options that say where a run takes place, shared by the verbs that run something.
#pragma once

#include <string>

#include "harness/cli/command_line.h"
#include "harness/core/world_kind.h"

namespace locklab {

/// --world. Throws UsageError.
WorldKind world_option(const CommandLine& line);

/// --redis, else LOCKLAB_REDIS: host:port, or empty for a private server.
std::string redis_option(const CommandLine& line);

}  // namespace locklab
