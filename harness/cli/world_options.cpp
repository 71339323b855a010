#include "harness/cli/world_options.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "harness/core/nearest.h"

namespace locklab {

WorldKind world_option(const CommandLine& line) {
    const auto& name = line.get("world");
    if (name == "sim") return WorldKind::sim;
    if (name == "live") return WorldKind::live;
    const std::array<std::string_view, 2> known{"sim", "live"};
    throw UsageError(unknown_word("world", name, known));
}

std::optional<Topology> topology_option(const CommandLine& line) {
    if (!line.has("topology")) return std::nullopt;
    const auto topology = parse_topology(line.get("topology"));
    if (topology) return topology;
    throw UsageError("--topology '" + line.get("topology") +
                     "' is none; right would be one, or masters:2 up to masters:" +
                     std::to_string(Topology::kMostMasters));
}

std::string redis_option(const CommandLine& line) {
    if (line.has("redis")) return line.get("redis");
    const char* server = std::getenv("LOCKLAB_REDIS");
    return server == nullptr ? "" : server;
}

}  // namespace locklab
