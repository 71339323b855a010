// The servers of driver runs, and faults of single servers: the others go on. Masters know nothing
// of one another; a replica follows the first.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.h"
#include "harness/core/time.h"
#include "harness/core/topology.h"
#include "harness/foreign/foreign_server.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/link_table.h"
#include "harness/store/redis/keyspace.h"

namespace locklab {

class ForeignServers {
public:
    using Clock = std::chrono::steady_clock;

    /// Returns when all answer. Throws as ForeignServer does.
    explicit ForeignServers(const Topology& topology,
                            ForeignServer::ItsClock clock = ForeignServer::ItsClock::right);

    /// Target of links to this node: a Unix socket, which costs less than a port.
    const Endpoint& endpoint(NodeId node) const { return process(node).endpoint(); }
    /// Links to all servers, without faults; gated_plan() also holds their messages at a gate.
    ProxyPlan plan(const LinkTable& links) const;
    ProxyPlan gated_plan(const LinkTable& links, LinkGate& gate) const;

    const Topology& topology() const { return topology_; }
    /// Number of servers: masters first, then replicas.
    std::uint32_t size() const { return topology_.nodes(); }
    const RedisProcess& process(NodeId node) const { return at(node).server->process(); }

    /// Sets all clocks right, removes all keys, makes replicas follow, and forgets past restarts.
    void begin_run();
    /// Kills the server, which comes back, empty, after `outage`; if it is down for longer already,
    /// it stays down.
    void restart(NodeId node, Duration outage);
    bool is_up(NodeId node) const { return process(node).pid() != 0; }
    /// Kills the server until bring_back(), which starts it empty. Throws std::runtime_error.
    void kill(NodeId node);
    void bring_back(NodeId node);
    /// Makes the replica a master, with all data of the first master, which is up and goes on.
    /// Throws std::runtime_error.
    void take_over();
    bool was_restarted(NodeId node) const { return at(node).was_restarted; }
    /// As evict_lock(), at this server.
    Eviction evict(NodeId node, const std::string& key) const;
    /// All keys in the first database of this server, which is up. Types that the model lacks (set,
    /// list) are left out.
    std::vector<KeyEntry> keys(NodeId node) const;
    /// Requires servers whose clocks can be wrong.
    WrongClock& clock(NodeId node) { return at(node).server->clock(); }

    /// When the next server comes back; nothing: none is down.
    std::optional<Clock::time_point> next_start() const;
    /// Starts servers that are due. Returns how late the latest of them is.
    Duration start_due(Clock::time_point now);
    /// Waits until all servers are up and answer. Throws std::runtime_error.
    void end_run();

private:
    struct Node {
        std::unique_ptr<ForeignServer> server;
        std::optional<Clock::time_point> starts{};  ///< set while it is down: when it starts
        bool was_restarted = false;
    };
    Node& at(NodeId node) { return nodes_.at(node.value); }
    const Node& at(NodeId node) const { return nodes_.at(node.value); }
    static void start(Node& node);

    void let_replicas_follow();

    const Topology topology_;
    std::vector<Node> nodes_;
};

}  // namespace locklab
