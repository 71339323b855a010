// The simulated world of a stage: models of Redis, and time that passes on request. A server exists
// from its first use on.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "harness/stage/stage_world.h"
#include "harness/store/redis/redis_store.h"

namespace locklab {

class SimWorld final : public StageWorld {
public:
    SimWorld() = default;
    SimWorld(const SimWorld&) = delete;
    SimWorld& operator=(const SimWorld&) = delete;

    std::string_view name() const override { return "sim"; }
    void begin(const Algorithm& algorithm) override { scripts_.run_in(algorithm.server); }
    Instant now() override { return now_; }
    void wait_until(Instant at) override { now_ = std::max(now_, at); }
    Reply execute(NodeId server, const ClientId* client, const Command& command) override;
    CommandResult run(const Route& route, const Command& command, const Key& key) override;
    void close(const Route& route) override;
    void restart(NodeId server) override;
    void restore(NodeId server, Duration age) override;
    void save(NodeId server) override { at(server).saved = at(server).redis.data().keys_only(); }
    void restore_saved(NodeId server) override;
    void jump_clock(NodeId server, Duration by) override { at(server).offset += by; }
    void take_over(NodeId replica, NodeId master) override;
    std::string not_modelled() const override { return scripts_.not_modelled(); }

private:
    struct Server {
        explicit Server(ScriptEngine& scripts) : redis(scripts) {}

        RedisStore redis;
        Duration offset{0};  ///< of its clock
        RedisModel saved;
        /// The data after each possible change.
        std::vector<std::pair<Instant, RedisModel>> past;
    };

    Server& at(NodeId server) { return servers_.try_emplace(server, scripts_).first->second; }
    WallTime time_of(const Server& server) const;
    void keep(Server& server) const {
        server.past.emplace_back(now_, server.redis.data().keys_only());
    }

    Instant now_;
    ScriptEngine scripts_;
    std::map<NodeId, Server> servers_;
    Outbox outbox_;
};

}  // namespace locklab
