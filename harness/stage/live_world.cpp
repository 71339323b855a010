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

LiveWorld::LiveWorld(Endpoint endpoint)
    : endpoint_(std::move(endpoint)), began_us_(monotonic_us()) {}

LiveWorld::LiveWorld(RedisProcess& server) : LiveWorld(server.endpoint()) { server_ = &server; }

Instant LiveWorld::now() { return Instant(Duration(monotonic_us() - began_us_)); }

void LiveWorld::wait_until(Instant at) {
    const Instant before = now();
    if (at <= before) return;
    was_late(before - woke_);
    std::this_thread::sleep_for(at - before);
    woke_ = now();
    was_late(woke_ - at);
}

Reply LiveWorld::execute(const ClientId* client, const Command& command) {
    std::unique_ptr<SyncConnection>& connection = client == nullptr ? harness_ : clients_[*client];
    const bool usable =
        connection != nullptr && connection->trouble() == SyncConnection::Trouble::none;
    if (!usable) connection = std::make_unique<SyncConnection>(endpoint_, kPatience);
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

void LiveWorld::restart() {
    LOCKLAB_ASSERT(server_ != nullptr);
    const std::int64_t before = monotonic_us();
    server_->restart();
    clients_.clear();
    harness_.reset();
    // It comes back empty: while it starts, no deadline there can pass, and none here may.
    began_us_ += monotonic_us() - before;
}

void LiveWorld::restore(Duration) { LOCKLAB_ASSERT(false && "no real server goes back in time"); }

void LiveWorld::jump_clock(Duration) {
    LOCKLAB_ASSERT(false && "no real server's clock is ours to set");
}

}  // namespace locklab
