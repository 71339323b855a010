#include "harness/foreign/link_table.h"

#include "harness/foreign/link_plan.h"

namespace locklab {

std::vector<NodeId> LinkTable::all_nodes() const {
    std::vector<NodeId> all;
    for (std::uint32_t i = 0; i < nodes_; ++i) all.push_back(NodeId{i});
    return all;
}

ProxyPlan LinkTable::plan(const std::function<Endpoint(NodeId)>& server, bool bytes) const {
    ProxyPlan plan;
    for (std::uint32_t i = 0; i < size(); ++i) {
        const NodeId node = node_of(i);
        plan.links.push_back({{link_name(client_of(i)), node_name(node)},
                              {"", "127.0.0.1", 0},
                              server(node),
                              bytes});
    }
    return plan;
}

std::vector<Endpoint> LinkTable::servers_of(ClientId client, const ProxyThread& proxy) const {
    std::vector<Endpoint> servers;
    for (const NodeId node : all_nodes()) servers.push_back(proxy.endpoint(at(client, node)));
    return servers;
}

}  // namespace locklab
