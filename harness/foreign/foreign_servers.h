// The servers of runs of drivers, which know nothing of one another, and what befalls one of them:
// the others go on.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.h"
#include "harness/core/time.h"
#include "harness/foreign/foreign_server.h"
#include "harness/foreign/key_look.h"
#include "harness/foreign/link_table.h"
#include "harness/store/redis/keyspace.h"

namespace locklab {

class ForeignServers {
public:
    using Clock = std::chrono::steady_clock;

    /// Returns when all answer. Throws as ForeignServer does.
    explicit ForeignServers(std::uint32_t count,
                            ForeignServer::ItsClock clock = ForeignServer::ItsClock::right);

    /// Links to them, of which none is struck yet; and such whose messages are held at a gate.
    ProxyPlan plan(const LinkTable& links) const;
    ProxyPlan gated_plan(const LinkTable& links, LinkGate& gate) const;

    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    const RedisProcess& process(NodeId node) const { return at(node).server->process(); }

    /// All clocks are right, nobody has a key, and nothing has befallen anybody yet.
    void begin_run();
    /// It is gone, and comes back, empty, after so long; one that is down for longer stays so.
    void restart(NodeId node, Duration outage);
    bool is_up(NodeId node) const { return process(node).pid() != 0; }
    /// It is gone until it is brought back, empty. Throws std::runtime_error.
    void kill(NodeId node);
    void bring_back(NodeId node);
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

    std::vector<Node> nodes_;
};

}  // namespace locklab
