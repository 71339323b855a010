// A live run: what it is to do, what its clients share while it does it, and what it leaves.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/fault.h"
#include "harness/core/history.h"
#include "harness/core/run_shape.h"
#include "harness/live/link.h"
#include "harness/live/recorder.h"
#include "harness/store/oracle/oracle_store.h"

namespace locklab {

struct LiveConfig : RunShape, RunRounds {
    /// The run winds down after so long as well. Zero: it does not.
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
    std::uint64_t commands = 0;  ///< that clients sent to Redis
    /// A server was gone when the run ended for want of grants, so nothing can be concluded from
    /// it.
    bool server_lost = false;
    /// Why the first connection broke or was refused, and the first error that was the server's own
    /// doing (see server_error.h): to be shown. Empty: none.
    std::string disconnected;
    std::string refused;
    /// How late this process was, at worst, while the run was under way: a pause of all clients
    /// that nobody planned. Or how much later than planned a restarted server was back.
    Duration worst_lag{0};
    /// How far somebody set the machine's wall clock while the run was under way.
    Duration clock_step{0};
};

struct LiveRun;

/// Has the servers, which all runs that are under way share: a run on so many uses the first so
/// many.
class ServerKeeper {
public:
    virtual Reactor& reactor() = 0;
    virtual Upstream& upstream(const Topology& topology, NodeId node) = 0;
    /// Kills the server and starts it again, empty, after the fault's amount. `asking` has noted
    /// the fault by itself.
    virtual void restart_server(const LiveRun& asking, const PlannedFault& fault) = 0;
    /// The replica gets nothing more, and takes over after `amount`. `asking` has noted it by
    /// itself.
    virtual void fail_over(const LiveRun& asking, const PlannedFault& fault) = 0;
    /// Whether it has: there is none any more.
    virtual bool has_failed_over() const = 0;

protected:
    ~ServerKeeper() = default;
};

/// What the clients of one run share.
struct LiveRun {
    LiveRun(LiveConfig with, Key locks, ServerKeeper& servers)
        : config(std::move(with)),
          key(std::move(locks)),
          keeper(servers),
          reactor(servers.reactor()),
          recorder(config.recording),
          schedule(config.plan) {}

    const LiveConfig config;
    const Key key;
    ServerKeeper& keeper;
    Reactor& reactor;
    Recorder recorder;
    FaultSchedule schedule;
    OracleStore oracle;
    Outbox outbox;             ///< of the oracle
    std::uint32_t active = 0;  ///< clients that have neither finished nor crashed
    std::uint64_t calls = 0;
    /// The servers from which commands went unanswered, by no fault of ours, and none was answered
    /// since.
    std::bitset<Topology::kMostMasters> unanswered;
    std::string disconnected;  ///< see LiveResult
    std::string refused;
};

}  // namespace locklab
