// A live run: what it is to do, what its clients share while it does it, and what it leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/fault.h"
#include "harness/core/history.h"
#include "harness/core/lock.h"
#include "harness/core/worker.h"
#include "harness/live/link.h"
#include "harness/live/recorder.h"
#include "harness/store/oracle/oracle_store.h"

namespace locklab {

struct LiveConfig {
    const Algorithm* algorithm = nullptr;
    LockOptions options;
    Workload workload;
    std::uint32_t clients = 3;
    std::uint64_t grants = 100;  ///< the clients stop when so many were given
    /// They also stop after so long. Zero: never.
    Duration duration{0};
    std::vector<PlannedFault> plan;
    Duration command_timeout = std::chrono::seconds(1);
    /// With no grant for this long the run ends. Longer than any job, pause or timeout.
    Duration patience = std::chrono::seconds(10);
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
    /// The server was gone when the run ended for want of grants, so nothing can be concluded
    /// from it.
    bool server_lost = false;
    /// Why the first connection broke or was refused, and the first error that was the server's own
    /// doing (see server_error.h): to be shown. Empty: none.
    std::string disconnected;
    std::string refused;
    /// How late this process was, at worst, while the run was under way: a pause of all clients
    /// that nobody planned. Or how much later than planned a restarted server was back.
    Duration worst_lag{0};
};

struct LiveRun;

/// Carries out what befalls the server, and with it every run that is under way.
class ServerKeeper {
public:
    /// Kills the server and starts it again, empty, a little later. `asking` has noted the fault
    /// by itself.
    virtual void restart_server(const LiveRun& asking) = 0;

protected:
    ~ServerKeeper() = default;
};

/// What the clients of one run share.
struct LiveRun {
    LiveRun(LiveConfig with, Key locks, Upstream& up, ServerKeeper& server)
        : config(std::move(with)),
          key(std::move(locks)),
          upstream(up),
          keeper(server),
          recorder(config.recording),
          schedule(config.plan) {}

    const LiveConfig config;
    const Key key;
    Upstream& upstream;
    ServerKeeper& keeper;
    Recorder recorder;
    FaultSchedule schedule;
    OracleStore oracle;
    Outbox outbox;             ///< of the oracle
    std::uint32_t active = 0;  ///< clients that have neither finished nor crashed
    std::uint64_t calls = 0;
    /// Commands went unanswered, by no fault of ours, and none was answered since.
    bool unanswered = false;
    std::string disconnected;  ///< see LiveResult
    std::string refused;
};

}  // namespace locklab
