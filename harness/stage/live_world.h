// The live world of a stage: a real Redis, and real time. Every command is sent at its cue over
// its client's own connection, and answered before anything else happens.
#pragma once

#include <map>
#include <memory>

#include "harness/live/endpoint.h"
#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"
#include "harness/stage/stage_world.h"

namespace locklab {

class LiveWorld final : public StageWorld {
public:
    /// Plays on somebody's server, which is neither restarted nor restored.
    explicit LiveWorld(Endpoint endpoint);
    /// Plays on a server of its own, which must outlive this.
    explicit LiveWorld(RedisProcess& server);

    std::string_view name() const override { return "live"; }
    Instant now() override;
    void wait_until(Instant at) override;
    Reply execute(const ClientId* client, const Command& command) override;
    void disconnect(ClientId client) override { clients_.erase(client); }
    void restart() override;
    /// Not to be called: see Line::Verb::redis_restores, and jump_clock() likewise.
    void restore(Duration age) override;
    void save() override { restore({}); }
    void restore_saved() override { restore({}); }
    void jump_clock(Duration by) override;
    std::string trouble() const override { return trouble_; }
    Duration worst_lag() const override { return worst_lag_; }

private:
    void look_for_trouble(const SyncConnection& connection, const Reply& reply);
    void was_late(Duration by) { worst_lag_ = std::max(worst_lag_, by); }

    Endpoint endpoint_;
    RedisProcess* server_ = nullptr;
    std::int64_t began_us_;
    Duration worst_lag_{0};
    std::string trouble_;
    /// The end of the last wait: whatever happens before the next is to take no time.
    Instant woke_;
    std::map<ClientId, std::unique_ptr<SyncConnection>> clients_;
    std::unique_ptr<SyncConnection> harness_;
};

}  // namespace locklab
