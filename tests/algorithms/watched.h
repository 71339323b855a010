// Clients of one lock, a Redis and the oracle, where everything that the lock asks for is seen.
// No faults: a command takes a millisecond, and every clock is right.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "harness/core/machine.h"
#include "harness/core/random_choices.h"
#include "harness/core/worker.h"
#include "harness/store/oracle/oracle_store.h"
#include "harness/store/redis/redis_model.h"

namespace locklab {

class Watched final : public Host {
public:
    struct Seen {
        std::set<std::uint32_t> redis_servers;  ///< that were sent a command
        bool asks_oracle = false;               ///< for its mutex
        bool reads_wall_clock = false;
        bool reads_monotonic_clock = false;
        bool commands_inside = false;  ///< some client sent Redis a command while it was inside
        bool overtaken = false;        ///< somebody who began to wait later was granted before
        std::uint64_t grants = 0;
        std::uint64_t fences = 0;    ///< of the grants
        std::uint64_t refusals = 0;  ///< of the tries
    };

    /// `algorithm` must outlive it. Its clients stop after so many grants.
    Watched(const Algorithm& algorithm, std::uint32_t clients, std::uint64_t enough);
    /// The tasks use the locks, so they go first.
    ~Watched() override { machines_.clear(); }

    Machine& machine(std::uint32_t client) { return *machines_[client]; }
    Lock& lock(std::uint32_t client) { return *locks_[client][0]; }
    const Locks& locks(std::uint32_t client) const { return locks_[client]; }
    /// Until every client is done. False if one is not within an hour.
    bool run();
    const Seen& seen() const { return seen_; }

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return servers_; }
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override;
    std::uint64_t next_grant(ClientId) override { return ++seen_.grants; }
    bool enough(ClientId) override { return seen_.grants >= enough_; }
    Choices& choices() override { return choices_; }
    std::optional<Duration> slow_job(ClientId, std::uint32_t) override { return std::nullopt; }

private:
    struct Wait {
        Instant due;
        ClientId client;
        TaskId task;
        std::uint32_t ticket = 0;
        NodeId node;
        std::optional<Command> command;  ///< none: a timer
    };
    struct Client {
        bool inside = false;
        /// Which wish of all it is that the client waits with; 0: it does not.
        std::uint64_t wish = 0;
    };

    Reply answer(const Wait& wait);
    void granted(Client& client, const event::Granted& grant);

    const std::uint64_t enough_;
    const std::uint32_t servers_;
    std::vector<Locks> locks_;
    std::vector<std::unique_ptr<Machine>> machines_;
    std::vector<Client> clients_;
    std::vector<Wait> waits_;  ///< in the order in which they began
    Instant now_;
    RandomChoices choices_{1};
    std::map<NodeId, RedisModel> redis_;
    OracleStore oracle_;
    ScriptEngine scripts_;
    std::uint64_t tokens_ = 0;
    std::uint64_t wishes_ = 0;
    Seen seen_;
};

}  // namespace locklab
