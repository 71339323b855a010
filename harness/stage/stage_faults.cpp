// What befalls the clients of a stage, and its server.

#include "harness/stage/stage.h"

namespace locklab {

void Stage::note_fault(ClientId client, Hazard hazard, Duration amount) {
    cluster().note_fault(client, PlannedFault{hazard, {}, amount});
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

/// Only now is it known how long it was.
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
    world_.disconnect(id);
    forget_done();
}

void Stage::go_home(ClientId id) {
    cluster().go_home(id);
    world_.disconnect(id);
    forget_done();
}

void Stage::jump_clock(ClientId client, Duration by) {
    cluster().strike(client, PlannedFault{Hazard::clock_jump, {}, by});
}

void Stage::restart() {
    note_fault(ClientId{0}, Hazard::restart, {});
    world_.restart();
    drop_connections();
    look();
}

void Stage::restore(Duration age) {
    note_fault(ClientId{0}, Hazard::restart_snapshot, age);
    world_.restore(age);
    drop_connections();
    look();
}

void Stage::save() {
    saved_at_ = time();
    world_.save();
}

void Stage::restore_saved() {
    note_fault(ClientId{0}, Hazard::restart_snapshot, time() - saved_at_);
    world_.restore_saved();
    drop_connections();
    look();
}

/// Requests on their way are lost with their connections, and whoever waits for a reply is told.
void Stage::drop_connections() {
    for (auto& wait : waits_) {
        if (wait->is_timer || !wait->sent || wait->node == kOracle) continue;
        wait->in_network = wait->reply_held = false;
    }
    cluster().break_connections(NodeId{0});
    forget_done();
}

void Stage::jump_server_clock(Duration by) {
    note_fault(ClientId{0}, Hazard::server_clock_jump, by);
    world_.jump_clock(by);
    look();
}

void Stage::evict() {
    note_fault(ClientId{0}, Hazard::evict, {});
    world_.execute(nullptr, Command::of("DEL", config_.key));
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

/// Keeps what is seen of the key, where it is not as it was seen before.
void Stage::look() {
    if (!config_.algorithm->on_redis()) return;
    KeySight sight;
    sight.event = events() == 0 ? 0 : events() - 1;
    sight.at = world_.now();
    const std::string type = world_.execute(nullptr, Command::of("TYPE", config_.key)).text();
    if (type == "hash") {
        sight.value = fields_of(world_.execute(nullptr, Command::of("HGETALL", config_.key)));
    } else if (type == "string") {
        const Reply value = world_.execute(nullptr, Command::of("GET", config_.key));
        if (value.is_bulk()) sight.value = value.text();
    }
    const Reply left = world_.execute(nullptr, Command::of("PTTL", config_.key));
    if (left.is_integer(-2)) sight.value.reset();
    if (sight.value && left.as_integer() >= 0) {
        sight.ttl = std::chrono::milliseconds(left.as_integer());
    }
    const KeySight none;
    const KeySight& last = scene_.key.empty() ? none : scene_.key.back();
    const Duration passed = sight.at - last.at;
    const Duration slack = std::chrono::milliseconds(5);
    const bool same_end =
        last.ttl.has_value() == sight.ttl.has_value() &&
        (!sight.ttl || std::chrono::abs(*last.ttl - passed - *sight.ttl) <= slack);
    if (last.value == sight.value && same_end) return;
    scene_.key.push_back(std::move(sight));
}

}  // namespace locklab
