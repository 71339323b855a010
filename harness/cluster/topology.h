// Which nodes there are. Topology is data: a node's kind says which store it is.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/core/names.h"

namespace locklab {

enum class NodeKind : std::uint8_t { redis, oracle };

struct Topology {
    std::vector<NodeKind> nodes;

    /// `count` Redis servers, which know nothing of one another, and the harness' own node.
    static Topology masters(std::size_t count) {
        Topology topology{std::vector<NodeKind>(count, NodeKind::redis)};
        topology.nodes.push_back(NodeKind::oracle);
        return topology;
    }
    static Topology one() { return masters(1); }

    /// Where a node's state is: the oracle, whatever its number, comes last.
    std::size_t index(NodeId node) const { return node == kOracle ? nodes.size() - 1 : node.value; }
};

}  // namespace locklab
