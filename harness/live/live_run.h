// A live run: its configuration, what its clients share, and its result.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/fault.h"
#include "harness/core/history.h"
#include "harness/core/run_shape.h"
#include "harness/live/eviction.h"
#include "harness/live/link.h"
#include "harness/live/recorder.h"
#include "harness/store/oracle/oracle_store.h"

namespace locklab {

struct LiveConfig : RunShape, RunRounds {
    /// The run also winds down after this time. Zero: no limit.
    Duration duration{0};
    std::vector<PlannedFault> plan{};
    std::optional<Draw> draw{};  ///< of a swarm: for the history
    std::uint64_t seed = 1;
    std::uint64_t run = 0;
    Recording recording = Recording::everything;
};

struct LiveResult {
    History history;
    std::uint64_t grants = 0;
    Instant first_grant;
    Instant last_grant;
    std::uint64_t commands = 0;  ///< sent by clients to Redis
    /// A server was gone when the run ended without enough grants, so the run shows nothing.
    bool server_lost = false;
    /// Why the first connection broke or was refused, and the first error that the server itself
    /// caused (see server_error.h), for display. Empty: none.
    std::string disconnected;
    std::string refused;
    /// The worst delay of this process during the run: a pause of all clients that nobody planned.
    /// Or the delay of a restarted server.
    Duration worst_lag{0};
    /// How far the machine's wall clock was set during the run.
    Duration clock_step{0};
};

struct LiveRun;

/// Owns the servers, which all runs under way share: a run on n servers uses the first n.
class ServerKeeper {
public:
    virtual Reactor& reactor() = 0;
    virtual Upstream& upstream(const Topology& topology, NodeId node) = 0;
    /// A fault of a server as it would strike now, for the history; its amount is the real age of
    /// an old snapshot. Nothing: it cannot strike now.
    virtual std::optional<event::Fault> plan_for_server(const PlannedFault& fault) const = 0;
    /// Makes the fault, and notes it in the other runs on that server. `asking` has noted it
    /// itself.
    virtual void strike_server(const LiveRun& asking, const event::Fault& fault) = 0;
    /// As evict_of_run(). Removes nothing if the server does not answer.
    virtual Eviction evict(NodeId node, const Key& lock, EvictionDraw draw) = 0;
    /// As flush_of_run(), likewise.
    virtual std::optional<Duration> flush(NodeId node, const Key& lock) = 0;
    /// Whether a job's write finds its token in the key (kHoldsToken). False if the server does not
    /// answer.
    virtual bool holds(const Topology& topology, NodeId node, const Key& key,
                       const Token& token) = 0;
    /// True once the replica has been promoted.
    virtual bool has_failed_over() const = 0;

protected:
    ~ServerKeeper() = default;
};

/// Shared by the clients of one run.
struct LiveRun {
    LiveRun(LiveConfig with, Key locks, ServerKeeper& servers)
        : config(std::move(with)),
          key(std::move(locks)),
          keeper(servers),
          reactor(servers.reactor()),
          recorder(config.recording),
          schedule(config.plan),
          held(config.workers()) {}

    const LiveConfig config;
    const Key key;
    ServerKeeper& keeper;
    Reactor& reactor;
    Recorder recorder;
    FaultSchedule schedule;
    OracleStore oracle;
    Outbox outbox;             ///< of the oracle
    std::vector<Token> held;   ///< each client's at its last grant
    std::uint32_t active = 0;  ///< clients that have neither finished nor crashed
    std::uint64_t calls = 0;
    /// Servers that left a command without an answer, though no fault struck it, and have answered
    /// none since.
    std::bitset<Topology::kMostMasters> unanswered;
    std::string disconnected;  ///< see LiveResult
    std::string refused;
};

}  // namespace locklab
