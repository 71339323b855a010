#include "harness/stage/live_world.h"

#include <chrono>
#include <thread>

#include "harness/core/assert.h"
#include "harness/core/printable.h"
#include "harness/core/server_error.h"

namespace locklab {

namespace {

constexpr Duration kPatience = std::chrono::seconds(2);

/// The machine's monotonic clock.
std::int64_t monotonic_us() {
    const auto now = std::chrono::steady_clock::now();  // outside any run
    return std::chrono::duration_cast<Duration>(now.time_since_epoch()).count();
}

}  // namespace

LiveWorld::LiveWorld() : began_us_(monotonic_us()) {}

LiveWorld::LiveWorld(Endpoint endpoint) : LiveWorld() { servers_.push_back({std::move(endpoint)}); }

LiveWorld::LiveWorld(ManagedServers& servers, bool keeps)
    : own_(&servers), keeps_(keeps), began_us_(monotonic_us()) {
    for (std::uint32_t i = 0; i < servers.size(); ++i) {
        servers_.push_back({servers.endpoint(NodeId{i})});
    }
}

Instant LiveWorld::now() { return Instant(Duration(monotonic_us() - began_us_)); }

Duration LiveWorld::clock_step() {
    clock_.look();
    return clock_.worst_step();
}

void LiveWorld::wait_until(Instant at) {
    const Instant before = now();
    if (at <= before) return;
    was_late(before - woke_);
    std::this_thread::sleep_for(at - before);
    woke_ = now();
    clock_.look();
    was_late(woke_ - at);
}

Reply LiveWorld::execute(NodeId id, const ClientId* client, const Command& command) {
    Server& server = servers_.at(id.value);
    const bool is_own = client == nullptr;
    Reply reply =
        ask(id, is_own ? server.harness : server.clients[way_of({*client, Channel::worker, id})],
            command);
    // The harness reads keys all the time; of its own commands, only DEL changes data.
    if (keeps_ && (!is_own || command[0] == "DEL")) own_->keep_snapshot(id);
    return reply;
}

CommandResult LiveWorld::run(const Route& route, const Command& command, const Key&) {
    Reply reply = ask(route.node, servers_.at(route.node.value).clients[way_of(route)], command);
    if (keeps_) own_->keep_snapshot(route.node);
    return {std::move(reply), KeyEffect{.source = KeyEffect::Source::untold}};
}

Reply LiveWorld::ask(NodeId id, Connection& connection, const Command& command) {
    const bool usable =
        connection != nullptr && connection->trouble() == SyncConnection::Trouble::none;
    if (!usable) {
        connection = std::make_unique<SyncConnection>(servers_.at(id.value).endpoint, kPatience);
    }
    Reply reply = connection->command(command);
    was_late(now() - woke_);
    look_for_trouble(*connection, reply);
    return reply;
}

void LiveWorld::look_for_trouble(const SyncConnection& connection, const Reply& reply) {
    if (!trouble_.empty()) return;
    if (reply.is_unknown()) trouble_ = "the server did not answer: " + connection.reason();
    if (reply.is_error() && is_servers_own(reply.text())) {
        trouble_ = "the server refused a command: " + printable(reply.text());
    }
}

void LiveWorld::close(const Route& route) {
    servers_.at(route.node.value).clients.erase(way_of(route));
}

void LiveWorld::come_back(NodeId id, const ServerSnapshot& with) {
    Server& server = servers_.at(id.value);
    LOCKLAB_ASSERT(own_ != nullptr);
    const std::int64_t before = monotonic_us();
    own_->kill(id);
    own_->bring_back(id, with);
    server.clients.clear();
    server.harness.reset();
    // If the server comes back empty, no deadline can pass there while it starts; then none may
    // pass here. Deadlines of restored data, and of other servers, do pass.
    if (servers_.size() == 1 && with.empty()) began_us_ += monotonic_us() - before;
    was_late(now() - woke_);
}

void LiveWorld::restart(NodeId id) { come_back(id, {}); }

void LiveWorld::restore(NodeId id, Duration age) {
    const ServerSnapshot old = own_->kept_at(id, ManagedServers::Clock::now() - age).data;
    come_back(id, old);
}

void LiveWorld::save(NodeId id) { saved_[id] = ServerSnapshot(own_->endpoint(id)); }

void LiveWorld::restore_saved(NodeId id) { come_back(id, saved_[id]); }

void LiveWorld::take_over(NodeId, NodeId) {
    own_->take_over_with_all();
    was_late(now() - woke_);
}

void LiveWorld::jump_clock(NodeId id, Duration by) { own_->jump_clock(id, by); }

}  // namespace locklab
