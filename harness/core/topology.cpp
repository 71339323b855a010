#include "harness/core/topology.h"

#include <charconv>

namespace locklab {

namespace {

constexpr std::string_view kOne = "one";
constexpr std::string_view kMasters = "masters:";
constexpr std::string_view kOneReplica = "replicas:1";

}  // namespace

std::optional<Topology> parse_topology(std::string_view text) {
    if (text == kOne) return Topology{};
    if (text == kOneReplica) return Topology{1, 1};
    if (!text.starts_with(kMasters)) return std::nullopt;
    text.remove_prefix(kMasters.size());
    Topology topology;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), topology.masters);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    const bool fits = topology.masters >= 1 && topology.masters <= Topology::kMostMasters;
    return is_number && fits ? std::optional(topology) : std::nullopt;
}

std::string right_topologies() {
    return std::string(kOne) + ", " + to_string(Topology{2}) + " up to " +
           to_string(Topology{Topology::kMostMasters}) + ", or " + std::string(kOneReplica);
}

std::string to_string(const Topology& topology) {
    if (topology.replicas > 0) return std::string(kOneReplica);
    return topology.masters == 1 ? std::string(kOne)
                                 : std::string(kMasters) + std::to_string(topology.masters);
}

}  // namespace locklab
