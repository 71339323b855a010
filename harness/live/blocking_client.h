// One client by itself, over one connection and blocking calls, as most programs use hiredis: what
// a lock costs without a loop around it. No faults, and no history.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"
#include "harness/core/random_choices.h"
#include "harness/core/worker.h"
#include "harness/live/endpoint.h"
#include "harness/live/random_hex.h"
#include "harness/live/script_digests.h"
#include "harness/live/wire.h"
#include "harness/store/oracle/oracle_store.h"

namespace locklab {

class BlockingClient final : public Host {
public:
    /// Throws std::runtime_error with one sentence if there is no connection, and
    /// std::invalid_argument for a lock that needs several servers. `limit` is for
    /// connecting, and for each reply: far longer than a server that works ever takes.
    BlockingClient(const Algorithm& algorithm, const LockOptions& options, Workload workload,
                   const Endpoint& endpoint, Key key, Duration limit = std::chrono::seconds(10));
    ~BlockingClient() override { forget_machine(); }

    struct Stretch {
        std::uint64_t grants = 0;
        std::uint64_t commands = 0;
        double seconds = 0;
    };
    /// Works for so long, and finishes the round that it is in. Throws std::runtime_error if a
    /// command gets no reply within the limit, or a try ends with an error.
    Stretch run_for(Duration window);

    void act(ClientId client, TaskId task, Action& action) override;
    std::uint32_t servers() const override { return 1; }
    WallTime now(ClientId client) override;
    MonotonicTime monotonic(ClientId client) override;
    Token fresh_token(ClientId client) override;
    void note(ClientId client, Phase phase, EventDetail detail, ResourceId resource) override;
    std::uint64_t next_grant(ClientId client) override;
    bool enough(ClientId client) override;
    Choices& choices() override { return choices_; }
    std::optional<Duration> slow_job(ClientId client, std::uint32_t round) override;

private:
    using Clock = std::chrono::steady_clock;

    struct Sleeper {
        Clock::time_point until;
        TaskId task;
        std::uint32_t ticket;
        /// For a heap with the earliest in front.
        bool operator<(const Sleeper& other) const { return until > other.until; }
    };
    struct Asked {
        TaskId task;
        std::uint32_t ticket;
        NodeId node;
        Command command;
    };
    void answer_first();
    Reply ask_oracle(const Asked& asked);
    Reply execute(const Command& command);
    void wake_first();
    void forget_cancelled();
    void forget_machine();

    const Algorithm& algorithm_;
    const LockOptions options_;
    const Workload workload_;
    const Key key_;
    const std::string server_;
    const Duration limit_;
    ContextPtr context_;
    std::string error_;  ///< with which a try ended; empty: none did
    ScriptDigests digests_;
    WireRequest request_;
    RandomHex tokens_;
    RandomChoices choices_{1};
    OracleStore oracle_;
    Outbox outbox_;                   ///< of the oracle
    std::optional<Machine> machine_;  ///< of this stretch
    Locks locks_;
    Clock::time_point over_;
    std::vector<Asked> asked_;  ///< of which the first `waiting_` wait; others are spare memory
    std::size_t waiting_ = 0;
    std::vector<Sleeper> sleepers_;
    Stretch stretch_;
};

}  // namespace locklab
