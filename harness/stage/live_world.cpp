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

LiveWorld::LiveWorld(const RedisServers& servers) : LiveWorld() {
    for (const auto& process : servers) {
        servers_.push_back({process->endpoint(), process.get()});
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
    std::unique_ptr<SyncConnection>& connection =
        client == nullptr ? server.harness : server.clients[*client];
    const bool usable =
        connection != nullptr && connection->trouble() == SyncConnection::Trouble::none;
    if (!usable) connection = std::make_unique<SyncConnection>(server.endpoint, kPatience);
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

void LiveWorld::disconnect(ClientId client) {
    for (Server& server : servers_) server.clients.erase(client);
}

void LiveWorld::restart(NodeId id) {
    Server& server = servers_.at(id.value);
    LOCKLAB_ASSERT(server.process != nullptr);
    const std::int64_t before = monotonic_us();
    server.process->restart();
    server.clients.clear();
    server.harness.reset();
    // The server comes back empty, so no deadline can pass there while it starts; then none may
    // pass here. With other servers, their deadlines do pass.
    if (servers_.size() == 1) began_us_ += monotonic_us() - before;
}

void LiveWorld::take_over(NodeId replica, NodeId master) {
    RedisProcess& process = *servers_.at(replica.value).process;
    process.await_all_of(*servers_.at(master.value).process);
    process.take_over();
    was_late(now() - woke_);
}

void LiveWorld::restore(NodeId, Duration) {
    LOCKLAB_ASSERT(false && "no real server goes back in time");
}

void LiveWorld::jump_clock(NodeId, Duration) {
    LOCKLAB_ASSERT(false && "no real server's clock is ours to set");
}

}  // namespace locklab
