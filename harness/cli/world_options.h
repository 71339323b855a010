// The options that say where a run takes place, shared by the verbs that run something.
#pragma once

#include <optional>
#include <string>

#include "harness/cli/command_line.h"
#include "harness/core/topology.h"
#include "harness/core/world_kind.h"

namespace locklab {

/// --world. Throws UsageError.
WorldKind world_option(const CommandLine& line);

/// --topology; nothing where it is not given. Throws UsageError.
std::optional<Topology> topology_option(const CommandLine& line);
inline constexpr Option kTopologyOption{
    "topology", kText, "Redis servers: one, masters:2 and so on (default: the lock's own)"};

/// --redis, else LOCKLAB_REDIS: host:port, or empty for a private server.
std::string redis_option(const CommandLine& line);

}  // namespace locklab
