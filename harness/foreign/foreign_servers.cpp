#include "harness/foreign/foreign_servers.h"

#include <algorithm>

#include "harness/live/sync_connection.h"

namespace locklab {

ForeignServers::ForeignServers(const Topology& topology, ForeignServer::ItsClock clock)
    : topology_(topology) {
    for (std::uint32_t i = 0; i < size(); ++i) {
        nodes_.push_back({std::make_unique<ForeignServer>(clock)});
    }
    let_replicas_follow();
}

void ForeignServers::let_replicas_follow() {
    for (std::uint32_t i = topology_.masters; i < size(); ++i) {
        nodes_[i].server->follow(*nodes_[0].server);
    }
}

void ForeignServers::take_over() {
    at(topology_.replica()).server->take_over_from(*nodes_[0].server);
}

ProxyPlan ForeignServers::plan(const LinkTable& links) const {
    return links.plan([this](NodeId node) { return endpoint(node); });
}

ProxyPlan ForeignServers::gated_plan(const LinkTable& links, LinkGate& gate) const {
    ProxyPlan plan = this->plan(links);
    plan.gate = &gate;
    return plan;
}

void ForeignServers::begin_run() {
    let_replicas_follow();
    for (Node& node : nodes_) {
        node.server->set_clock_right();
        node.was_restarted = false;
        if (node.server->process().pid() == 0) continue;
        SyncConnection(node.server->process().endpoint()).command(Command::of("FLUSHALL"));
    }
}

void ForeignServers::kill(NodeId node) {
    at(node).server->kill();
    at(node).was_restarted = true;
}

void ForeignServers::bring_back(NodeId node) {
    start(at(node));
    at(node).server->await_ready();
}

void ForeignServers::restart(NodeId id, Duration outage) {
    Node& node = at(id);
    kill(id);
    const Clock::time_point back = Clock::now() + outage;
    node.starts = node.starts ? std::max(*node.starts, back) : back;
}

Eviction ForeignServers::evict(NodeId node, const std::string& key) const {
    SyncConnection server(process(node).endpoint());
    return evict_lock(key, [&](const Command& command) { return server.command(command); });
}

std::vector<KeyEntry> ForeignServers::keys(NodeId node) const {
    SyncConnection server(process(node).endpoint());
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t now_ms = wall / std::chrono::milliseconds(1);
    const auto ask = [&](const Command& command) { return server.command(command); };
    std::vector<KeyEntry> keys;
    const Reply names = ask(Command::of("KEYS", "*"));
    for (const Reply& name : names.elements()) {
        std::optional<StoredKey> stored = stored_at(name.text(), ask);
        if (!stored) continue;
        KeyEntry key{name.text(), std::move(stored->value)};
        if (stored->ttl) key.deadline_ms = now_ms + *stored->ttl / std::chrono::milliseconds(1);
        keys.push_back(std::move(key));
    }
    return keys;
}

std::optional<ForeignServers::Clock::time_point> ForeignServers::next_start() const {
    std::optional<Clock::time_point> next;
    for (const Node& node : nodes_) {
        if (node.starts && (!next || *node.starts < *next)) next = node.starts;
    }
    return next;
}

Duration ForeignServers::start_due(Clock::time_point now) {
    Duration late{0};
    for (Node& node : nodes_) {
        if (!node.starts || *node.starts > now) continue;
        late = std::max(late, std::chrono::duration_cast<Duration>(now - *node.starts));
        start(node);
    }
    return late;
}

void ForeignServers::end_run() {
    for (Node& node : nodes_) {
        if (node.starts) start(node);
    }
    for (const Node& node : nodes_) node.server->await_ready();
}

void ForeignServers::start(Node& node) {
    node.starts.reset();
    node.server->launch();
}

}  // namespace locklab
