// The servers of runs of drivers, and what befalls one of them: the others go on. Masters know
// nothing of one another; a replica follows the first.
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

    /// Where a link to it leads: a Unix socket, which costs less than a port.
    const Endpoint& endpoint(NodeId node) const { return process(node).endpoint(); }
    /// Links to them, of which none is struck yet; and such whose messages are held at a gate.
    ProxyPlan plan(const LinkTable& links) const;
    ProxyPlan gated_plan(const LinkTable& links, LinkGate& gate) const;

    const Topology& topology() const { return topology_; }
    /// Masters, and then replicas.
    std::uint32_t size() const { return topology_.nodes(); }
    const RedisProcess& process(NodeId node) const { return at(node).server->process(); }

    /// All clocks are right, nobody has a key, replicas follow, and nothing has befallen anybody
    /// yet.
    void begin_run();
    /// It is gone, and comes back, empty, after so long; one that is down for longer stays so.
    void restart(NodeId node, Duration outage);
    bool is_up(NodeId node) const { return process(node).pid() != 0; }
    /// It is gone until it is brought back, empty. Throws std::runtime_error.
    void kill(NodeId node);
    void bring_back(NodeId node);
    /// The replica becomes a master, with all that the first one, which is up and goes on, has by
    /// now. Throws std::runtime_error.
    void take_over();
    bool was_restarted(NodeId node) const { return at(node).was_restarted; }
    /// As evict_lock() does, at this server.
    Eviction evict(NodeId node, const std::string& key) const;
    /// All of this server, which is up, in its first database. Of a kind that no model has (a set,
    /// a list), none.
    std::vector<KeyEntry> keys(NodeId node) const;
    /// It can be wrong.
    WrongClock& clock(NodeId node) { return at(node).server->clock(); }

    /// When the next one comes back; nothing: none is down.
    std::optional<Clock::time_point> next_start() const;
    /// Starts those whose time has come. By how much the latest of them is late.
    Duration start_due(Clock::time_point now);
    /// All are there again, and answer. Throws std::runtime_error.
    void end_run();

private:
    struct Node {
        std::unique_ptr<ForeignServer> server;
        std::optional<Clock::time_point> starts{};  ///< it is down until then
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
