#include "harness/live/require_servers.h"

#include <stdexcept>

namespace locklab {

void require_servers(const Algorithm& lock, const Topology& topology, std::uint32_t servers,
                     const std::string& where, const std::string& right) {
    if (topology.masters <= servers) return;
    throw std::invalid_argument("The lock " + std::string(lock.name) + " needs " +
                                std::to_string(topology.masters) + " redis-servers, and " + where +
                                ": " + right + ".");
}

}  // namespace locklab
