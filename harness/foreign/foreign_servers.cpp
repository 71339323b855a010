#include "harness/foreign/foreign_servers.h"

#include <algorithm>

#include "harness/live/sync_connection.h"

namespace locklab {

ForeignServers::ForeignServers(std::uint32_t count, ForeignServer::ItsClock clock) {
    for (std::uint32_t i = 0; i < count; ++i) {
        nodes_.push_back({std::make_unique<ForeignServer>(clock)});
    }
}

void ForeignServers::begin_run() {
    for (Node& node : nodes_) {
        node.server->set_clock_right();
        node.was_restarted = false;
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

Duration ForeignServers::evict(NodeId node, const std::string& key) const {
    SyncConnection server(process(node).endpoint());
    const Clock::time_point before = Clock::now();
    server.command(Command::of("DEL", key));
    return std::chrono::duration_cast<Duration>(Clock::now() - before);
}

std::vector<KeyEntry> ForeignServers::keys_naming(NodeId node, const std::string& part) const {
    SyncConnection server(process(node).endpoint());
    const auto wall = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t now_ms = wall / std::chrono::milliseconds(1);
    std::vector<KeyEntry> keys;
    const Reply names = server.command(Command::of("KEYS", "*" + part + "*"));
    for (const Reply& name : names.elements()) {
        KeyEntry key;
        key.name = name.text();
        const std::string type = server.command(Command::of("TYPE", key.name)).text();
        if (type == "string") {
            key.value = server.command(Command::of("GET", key.name)).text();
        } else if (type == "hash") {
            const Reply fields = server.command(Command::of("HGETALL", key.name));
            HashValue hash;
            for (std::size_t i = 0; i + 1 < fields.elements().size(); i += 2) {
                hash.set(fields.elements()[i].text(), fields.elements()[i + 1].text());
            }
            key.value = std::move(hash);
        } else {
            continue;
        }
        const Reply left = server.command(Command::of("PTTL", key.name));
        if (left.as_integer() >= 0) key.deadline_ms = now_ms + left.as_integer();
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
