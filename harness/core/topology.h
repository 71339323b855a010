// The Redis servers of a run. Topology is data: one server is no special case.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/names.h"

namespace locklab {

struct Topology {
    static constexpr std::uint32_t kMostMasters = 5;

    /// Servers that take writes, and know nothing of each other.
    std::uint32_t masters = 1;
    /// Replicas of the first master, which follow it and can take over.
    std::uint32_t replicas = 0;

    /// Nodes are numbered: first the masters, then the replicas.
    constexpr std::uint32_t nodes() const { return masters + replicas; }
    constexpr NodeId replica() const { return NodeId{masters}; }

    bool operator==(const Topology&) const = default;
};

/// The values of --topology, and their meaning.
struct TopologyRow {
    std::string_view name;
    std::string_view meaning;
};
inline constexpr std::array<TopologyRow, 3> kTopologies{{
    {"one", "one Redis server"},
    {"masters:N", "N Redis servers that know nothing of one another: 2 to 5"},
    {"replicas:1", "a Redis server and its replica, which can take over"},
}};

/// "one", "masters:3", or "replicas:1"; nothing if the text is none of these.
std::optional<Topology> parse_topology(std::string_view text);
std::string to_string(const Topology& topology);
/// The valid values, for messages: "one, masters:2 up to masters:5, or replicas:1".
std::string right_topologies();

}  // namespace locklab
