// The options that say where a run takes place, shared by the verbs that run something.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/cli/command_line.h"

namespace locklab {

enum class WorldKind : std::uint8_t { sim, live };

std::string_view name_of(WorldKind world);

/// --world. Throws UsageError.
WorldKind world_option(const CommandLine& line);

/// --redis, else LOCKLAB_REDIS: host:port, or empty for a private server.
std::string redis_option(const CommandLine& line);

}  // namespace locklab
