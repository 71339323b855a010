// The live world of a stage: real Redis servers, and real time. Every command is sent at its cue
// over its client's own connection, and answered before anything else happens. A client that gives
// up on an answer opens another connection; so does its watchdog, which has one of its own.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "harness/live/clock_watch.h"
#include "harness/live/endpoint.h"
#include "harness/live/managed_servers.h"
#include "harness/live/probe.h"
#include "harness/live/sync_connection.h"
#include "harness/stage/stage_world.h"

namespace locklab {

class LiveWorld final : public StageWorld {
public:
    /// Uses a foreign server, which is neither restarted nor restored.
    explicit LiveWorld(Endpoint endpoint);
    /// Uses servers of its own, which must outlive this. `keeps`: keeps a snapshot after each
    /// command, for restore().
    explicit LiveWorld(ManagedServers& servers, bool keeps = false);

    std::string_view name() const override { return "live"; }
    void begin(const Algorithm& algorithm) override {
        require_commands(algorithm, servers_.front().endpoint);
    }
    Instant now() override;
    void wait_until(Instant at) override;
    Reply execute(NodeId server, const ClientId* client, const Command& command) override;
    CommandResult run(const Route& route, const Command& command, const Key& key) override;
    void close(const Route& route) override;
    void restart(NodeId server) override;
    void restore(NodeId server, Duration age) override;
    void save(NodeId server) override;
    void restore_saved(NodeId server) override;
    /// Requires servers whose clocks can be wrong.
    void jump_clock(NodeId server, Duration by) override;
    void take_over(NodeId replica, NodeId master) override;
    std::string trouble() const override { return trouble_; }
    Duration worst_lag() const override { return worst_lag_; }
    Duration clock_step() override;

private:
    /// Client, channel, and which of its connections there.
    using Way = std::tuple<ClientId, Channel, std::uint32_t>;
    using Connection = std::unique_ptr<SyncConnection>;
    struct Server {
        Endpoint endpoint;
        std::map<Way, Connection> clients{};
        Connection harness{};
    };

    LiveWorld();
    static Way way_of(const Route& route) {
        return {route.client, route.channel, route.connection};
    }
    Reply ask(NodeId server, Connection& connection, const Command& command);
    void come_back(NodeId server, const ServerSnapshot& with);
    void look_for_trouble(const SyncConnection& connection, const Reply& reply);
    void was_late(Duration by) { worst_lag_ = std::max(worst_lag_, by); }

    ManagedServers* own_ = nullptr;  ///< null: a foreign server
    const bool keeps_ = false;
    std::map<NodeId, ServerSnapshot> saved_{};
    std::vector<Server> servers_;
    std::int64_t began_us_;
    Duration worst_lag_{0};
    ClockWatch clock_;
    std::string trouble_;
    /// The end of the last wait: everything until the next wait should take no time.
    Instant woke_;
};

}  // namespace locklab
