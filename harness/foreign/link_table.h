// The links of a proxy: one for each client and node.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "harness/core/names.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

/// Ordered by client, then by node.
class LinkTable {
public:
    using Clock = std::chrono::steady_clock;

    LinkTable(std::uint32_t clients, std::uint32_t nodes) : clients_(clients), nodes_(nodes) {}

    std::uint32_t size() const { return clients_ * nodes_; }
    std::uint32_t nodes() const { return nodes_; }
    std::vector<NodeId> all_nodes() const;
    ClientId client_of(std::uint32_t link) const { return ClientId{link / nodes_}; }
    NodeId node_of(std::uint32_t link) const { return NodeId{link % nodes_}; }
    /// From then on the link leads to this node: its client has learnt of a new master.
    void lead(std::uint32_t link, Clock::time_point from, NodeId node) {
        led_[link] = {from, node};
    }
    /// The node to which the link led at that time.
    NodeId node_at(std::uint32_t link, Clock::time_point at) const {
        const auto led = led_.find(link);
        const bool elsewhere = led != led_.end() && led->second.first <= at;
        return elsewhere ? led->second.second : node_of(link);
    }
    std::uint32_t at(ClientId client, NodeId node) const {
        return client.value * nodes_ + node.value;
    }

    /// A listener on a free port for each link, in front of its server. `bytes`: as ProxyLink's.
    ProxyPlan plan(const std::function<Endpoint(NodeId)>& server, bool bytes = false) const;
    /// The same, with messages held at a gate.
    ProxyPlan gated_plan(const std::function<Endpoint(NodeId)>& server, LinkGate& gate) const {
        ProxyPlan its_plan = plan(server);
        its_plan.gate = &gate;
        return its_plan;
    }
    /// Addresses of the client's servers behind a proxy with that plan, by node.
    std::vector<Endpoint> servers_of(ClientId client, const ProxyThread& proxy) const;

private:
    std::uint32_t clients_;
    std::uint32_t nodes_;
    std::map<std::uint32_t, std::pair<Clock::time_point, NodeId>> led_{};
};

}  // namespace locklab
