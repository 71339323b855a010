// Faults of the clients of a stage, and of its servers.

#include <algorithm>
#include <utility>

#include "harness/stage/stage.h"

namespace locklab {

void Stage::note_fault(ClientId client, Hazard hazard, Duration amount) {
    cluster().note_fault(client, PlannedFault{hazard, {}, amount});
}

/// Who is struck is no client, but events have one.
void Stage::note_fault(NodeId server, Hazard hazard, Duration amount, const std::string& key) {
    cluster().note_fault(ClientId{0}, PlannedFault{hazard, {}, amount, server, key});
}

void Stage::pause(ClientId client) {
    clients_[client.value].paused = events();
    note_fault(client, Hazard::pause, {});
}

void Stage::resume(ClientId client) { wake_up(clients_[client.value].paused); }

void Stage::stall(ClientId client) {
    clients_[client.value].stalled = events();
    note_fault(client, Hazard::stall, {});
}

void Stage::unstall(ClientId client) { wake_up(clients_[client.value].stalled); }

/// The length of a pause is known only at its end.
void Stage::wake_up(std::optional<std::size_t>& since) {
    if (!since) return;
    cluster().end_fault(*since);
    since.reset();
}

void Stage::crash(ClientId id) {
    cluster().strike(id, PlannedFault{Hazard::crash, {}, {}});
    Progress& progress = clients_[id.value].progress;
    progress.gone = true;
    progress.wanting = false;
    forget_done();
}

void Stage::rest(ClientId id) {
    Client& client = clients_[id.value];
    cluster().rest(id);
    client.rests = true;
    client.progress.gone = client.progress.wanting = false;
}

bool Stage::come_back(ClientId id) {
    if (!std::exchange(clients_[id.value].rests, false)) return false;
    cluster().want_again(id);
    return true;
}

/// A client that rests has ended its round already.
void Stage::go_home(ClientId id) {
    Client& client = clients_[id.value];
    std::exchange(client.rests, false) ? cluster().leave_for_good(id) : cluster().go_home(id);
    client.progress.gone = true;
    forget_done();
}

void Stage::jump_clock(ClientId client, Duration by) {
    cluster().strike(client, PlannedFault{Hazard::clock_jump, {}, by});
}

void Stage::hang(NodeId server) {
    if (!hung_.try_emplace(server, events()).second) return;
    note_fault(server, Hazard::freeze, {});
}

void Stage::go_on(NodeId server) {
    const auto hung = hung_.find(server);
    if (hung == hung_.end()) return;
    cluster().end_fault(hung->second);
    hung_.erase(hung);
}

void Stage::cut(ClientId client, NodeId server) {
    cut_.emplace(std::pair(client, server), events());
    cluster().note_fault(client, PlannedFault{Hazard::partition, {}, {}, server});
}

void Stage::heal(ClientId client, NodeId server) {
    const auto cut = cut_.extract({client, server});
    if (!cut.empty()) cluster().end_fault(cut.mapped());
}

void Stage::restart(Duration outage, NodeId server) {
    note_fault(server, Hazard::restart, outage);
    world_.restart(server);
    cluster().take_down(server, outage);
    drop_connections(server);
    look();
}

void Stage::restore(Duration age, NodeId server) {
    note_fault(server, Hazard::restart_snapshot, age);
    world_.restore(server, age);
    drop_connections(server);
    look();
}

void Stage::save(NodeId server) {
    saved_at_[server] = time();
    world_.save(server);
}

void Stage::restore_saved(NodeId server) {
    note_fault(server, Hazard::restart_snapshot, time() - saved_at_[server]);
    world_.restore_saved(server);
    drop_connections(server);
    look();
}

/// Requests in flight are lost with their connections, and clients that wait for a reply are told.
/// A server that hung hangs no more.
void Stage::drop_connections(NodeId server) {
    go_on(server);
    for (auto& wait : waits_) {
        if (wait->is_timer || !wait->sent || wait->node != server) continue;
        wait->in_network = wait->reply_held = false;
    }
    cluster().break_connections(server);
    forget_done();
}

void Stage::jump_server_clock(Duration by, NodeId server) {
    note_fault(server, Hazard::server_clock_jump, by);
    world_.jump_clock(server, by);
    look();
}

void Stage::cut_off_replica() {
    const NodeId replica = config_.topology.replica();
    LOCKLAB_ASSERT(!cut_off_ && config_.topology.replicas > 0);
    cut_off_ = events();
    const NodeId master = cluster_.value().master;
    cluster().strike(ClientId{0}, PlannedFault{Hazard::failover, {}, {}, replica});
    world_.take_over(replica, master);
    look();
}

/// No client used the replica before, so it may have been a master for a while.
void Stage::take_over() {
    if (!cut_off_) cut_off_replica();
    if (took_over_) return;
    took_over_ = true;
    cluster().end_fault(*cut_off_);
}

void Stage::learn(ClientId client) {
    cluster().apply({MoveKind::learn, client, TaskId{}});
    for (const auto& wait : waits_) {
        const bool is_its = wait->client == client && !wait->is_timer && !wait->sent;
        if (is_its) wait->node = cluster_.message(wait->message).route.node;
    }
}

void Stage::evict(NodeId server, const std::string& key) {
    note_fault(server, Hazard::evict, {}, key);
    world_.execute(server, nullptr, Command::of("DEL", key.empty() ? config_.key.name : key));
    look();
}

void Stage::flush(NodeId server) {
    note_fault(server, Hazard::flush, {});
    world_.execute(server, nullptr, Command::of("FLUSHALL"));
    look();
}

namespace {

std::string fields_of(const Reply& hash) {
    std::string text;
    const std::vector<Reply>& words = hash.elements();
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        text += (i == 0 ? "" : ", ") + words[i].text() + ": " + words[i + 1].text();
    }
    return text;
}

}  // namespace

void Stage::look() {
    if (!config_.algorithm->on_redis()) return;
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        if (!cluster_.is_following(NodeId{i})) look_at(NodeId{i});
    }
}

/// Keeps what is seen of the key, if it has changed.
void Stage::look_at(NodeId server) {
    const auto ask = [&](const char* word) {
        return world_.execute(server, nullptr, Command::of(word, config_.key));
    };
    KeySight sight;
    sight.node = server;
    sight.event = events() == 0 ? 0 : events() - 1;
    sight.at = world_.now();
    const std::string type = ask("TYPE").text();
    if (type == "hash") {
        sight.value = fields_of(ask("HGETALL"));
    } else if (type == "string") {
        const Reply value = ask("GET");
        if (value.is_bulk()) sight.value = value.text();
    }
    const Reply left = ask("PTTL");
    if (left.is_integer(-2)) sight.value.reset();
    if (sight.value && left.as_integer() >= 0) {
        sight.ttl = std::chrono::milliseconds(left.as_integer());
    }
    const KeySight none;
    const auto seen = std::find_if(scene_.key.rbegin(), scene_.key.rend(),
                                   [&](const KeySight& known) { return known.node == server; });
    const KeySight& last = seen == scene_.key.rend() ? none : *seen;
    const Duration passed = sight.at - last.at;
    const Duration slack = std::chrono::milliseconds(5);
    const bool same_end =
        last.ttl.has_value() == sight.ttl.has_value() &&
        (!sight.ttl || std::chrono::abs(*last.ttl - passed - *sight.ttl) <= slack);
    if (last.value == sight.value && same_end) return;
    scene_.key.push_back(std::move(sight));
}

}  // namespace locklab
