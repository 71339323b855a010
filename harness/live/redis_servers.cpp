#include "harness/live/redis_servers.h"

namespace locklab {

RedisServers start_servers(const Topology& topology) {
    RedisServers servers;
    for (std::uint32_t i = 0; i < topology.nodes(); ++i) {
        servers.push_back(std::make_unique<RedisProcess>());
        if (i >= topology.masters) servers.back()->follow(*servers.front());
    }
    return servers;
}

}  // namespace locklab
