// The links of a proxy: one for each client and node.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/core/names.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

/// Ordered by client, then by node.
class LinkTable {
public:
    LinkTable(std::uint32_t clients, std::uint32_t nodes) : clients_(clients), nodes_(nodes) {}

    std::uint32_t size() const { return clients_ * nodes_; }
    std::uint32_t nodes() const { return nodes_; }
    std::vector<NodeId> all_nodes() const;
    ClientId client_of(std::uint32_t link) const { return ClientId{link / nodes_}; }
    NodeId node_of(std::uint32_t link) const { return NodeId{link % nodes_}; }
    std::uint32_t at(ClientId client, NodeId node) const {
        return client.value * nodes_ + node.value;
    }

    /// A listener on a free port for each link, in front of its server.
    ProxyPlan plan(const std::function<Endpoint(NodeId)>& server) const;
    /// Addresses of the client's servers behind a proxy with that plan, by node.
    std::vector<Endpoint> servers_of(ClientId client, const ProxyThread& proxy) const;

private:
    std::uint32_t clients_;
    std::uint32_t nodes_;
};

}  // namespace locklab
