// The simulated world of a stage: the model of Redis, and a time that passes when it is told to.
#pragma once

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
    Instant now() override { return now_; }
    void wait_until(Instant at) override { now_ = std::max(now_, at); }
    Reply execute(const ClientId* client, const Command& command) override;
    CommandResult run(ClientId client, const Command& command, const Key& key) override;
    void disconnect(ClientId) override {}
    void restart() override;
    void restore(Duration age) override;
    void save() override { saved_ = redis_.data(); }
    void restore_saved() override;
    void jump_clock(Duration by) override { offset_ += by; }
    std::string not_modelled() const override { return scripts_.not_modelled(); }

private:
    WallTime time() const;
    void keep() { past_.emplace_back(now_, redis_.data()); }

    Instant now_;
    Duration offset_{0};
    ScriptEngine scripts_;
    RedisStore redis_{scripts_};
    RedisModel saved_;
    Outbox outbox_;
    /// The data after whatever may have changed it.
    std::vector<std::pair<Instant, RedisModel>> past_;
};

}  // namespace locklab
