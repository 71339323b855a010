// The redis-servers of a topology, started together.
#pragma once

#include <memory>
#include <vector>

#include "harness/core/topology.h"
#include "harness/live/redis_process.h"

namespace locklab {

/// By node: masters first, then replicas.
using RedisServers = std::vector<std::unique_ptr<RedisProcess>>;

/// Each on a socket of its own; a replica follows the first. Throws std::runtime_error with one
/// sentence if one cannot be started.
RedisServers start_servers(const Topology& topology);

}  // namespace locklab
