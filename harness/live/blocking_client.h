// One client alone, with one connection and blocking calls, as most programs use hiredis: it
// measures a lock without a loop around it. No faults, and no history.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/machine.h"
#include "harness/core/worker.h"
#include "harness/live/endpoint.h"
#include "harness/live/real_host.h"
#include "harness/live/script_digests.h"
#include "harness/live/wire.h"
#include "harness/store/oracle/oracle_store.h"

namespace locklab {

class BlockingClient final : private Faultless {
public:
    /// Throws std::runtime_error with one sentence if there is no connection, and
    /// std::invalid_argument for a lock that needs several servers. `limit` is for connecting, and
    /// for each reply: far longer than a working server takes.
    BlockingClient(const Algorithm& algorithm, const LockOptions& options, Workload workload,
                   const Endpoint& endpoint, Key key, Duration limit = std::chrono::seconds(10));
    ~BlockingClient() { forget_machine(); }

    struct Stretch {
        std::uint64_t grants = 0;
        std::uint64_t commands = 0;
        double seconds = 0;
    };
    /// Works for this long, and finishes the current round. Throws std::runtime_error if a command
    /// gets no reply within the limit, a try ends with an error, or the lock throws.
    Stretch run_for(Duration window);

private:
    using Clock = std::chrono::steady_clock;
    friend RealHost<BlockingClient>;

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
    void sleep(const Waiter& waiter, Duration time);
    void queue(const Waiter& waiter, NodeId node, Command& command);
    void send(const Waiter& waiter, NodeId server, Command& command) {
        queue(waiter, server, command);
    }
    void ask_oracle(const Waiter& waiter, Command& command) { queue(waiter, kOracle, command); }
    void noted(ClientId client, Phase phase, EventDetail&& detail, ResourceId resource);
    void threw(TaskId task, const std::string& words);
    void answer_first();
    Reply answer_of_oracle(const Asked& asked);
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
    std::string error_;  ///< error of a try; empty: none
    std::string threw_;  ///< what the lock threw; empty: nothing
    ScriptDigests digests_;
    WireRequest request_;
    RealHost<BlockingClient> host_{*this, 1};
    OracleStore oracle_;
    Outbox outbox_;                   ///< of the oracle
    std::optional<Machine> machine_;  ///< of this stretch
    Locks locks_;
    std::vector<Asked> asked_;  ///< the first `waiting_` entries wait; the rest is spare memory
    std::size_t waiting_ = 0;
    std::vector<Sleeper> sleepers_;
    std::uint64_t commands_ = 0;  ///< of this stretch
};

}  // namespace locklab
