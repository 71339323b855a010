// Which link of a proxy is whose: there is one for each client and node.
#pragma once

#include <cstdint>

#include "harness/core/names.h"

namespace locklab {

/// Client by client, and of each node by node.
class LinkTable {
public:
    LinkTable(std::uint32_t clients, std::uint32_t nodes) : clients_(clients), nodes_(nodes) {}

    std::uint32_t size() const { return clients_ * nodes_; }
    std::uint32_t nodes() const { return nodes_; }
    ClientId client_of(std::uint32_t link) const { return ClientId{link / nodes_}; }
    NodeId node_of(std::uint32_t link) const { return NodeId{link % nodes_}; }
    std::uint32_t at(ClientId client, NodeId node) const {
        return client.value * nodes_ + node.value;
    }

private:
    std::uint32_t clients_;
    std::uint32_t nodes_;
};

}  // namespace locklab
