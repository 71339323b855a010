// What every engine is given of a run: which lock, for whom, at which servers; and, where it makes
// many rounds, what its clients do and until when. Simulator, live loop, stage and searches add to
// it what is theirs alone.
#pragma once

#include <cstdint>

#include "harness/core/client_options.h"
#include "harness/core/fault.h"
#include "harness/core/history.h"
#include "harness/core/lock.h"
#include "harness/core/topology.h"
#include "harness/core/worker.h"

namespace locklab {

struct RunShape {
    const Algorithm* algorithm = nullptr;
    LockOptions options{};
    UnequalClients unequal{};  ///< clients that are given other options than the rest
    std::uint32_t clients = 3;
    /// Of each client, that share its lock object: whatever happens to one happens to all. Each has
    /// a job, connections and an id of its own.
    std::uint32_t tasks = 1;
    Topology topology{};
    std::uint32_t resources = 1;  ///< locks that each client takes, each at a server of its own
    Duration command_timeout = std::chrono::seconds(1);
    /// Sim only, with one lock at one master: the resource is in the same Redis, and a job's write
    /// is a script that does nothing unless the lock's key holds its token.
    bool guards_writes = false;

    /// Who wants the lock: each task by itself. Ids count these, client by client.
    std::uint32_t workers() const { return clients * tasks; }
};

/// What its history says of it, if `key` is the lock's.
HistoryHead head_of(const RunShape& shape, const Key& key);

struct RunRounds {
    Workload workload{};
    /// After this many grants the run winds down.
    std::uint64_t grants = 30;
    /// With no grant for this long, the run ends, and a client that wants a free lock is stuck.
    /// Longer than any job, pause or time-out.
    Duration patience = std::chrono::seconds(10);
    /// What fault amounts are drawn in, and at most how long after a failover a client learns of
    /// it: the TTL, or what stands for it where there is none.
    Duration scale = std::chrono::seconds(10);
    /// Sim only.
    RegularPauses pauses{};
    /// Sim only: an eviction takes any key that the server has by then, and not just the lock's.
    bool evicts_any_key = true;
};

}  // namespace locklab
