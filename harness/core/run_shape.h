// What every engine gets to know of a run: which lock, which clients, which servers; and, for runs
// of many rounds, what the clients do and until when. Simulator, live loop, stage and searches add
// what only they need.
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
    UnequalClients unequal{};  ///< clients whose options differ from the rest
    std::uint32_t clients = 3;
    /// Tasks per client that share its lock object: whatever happens to one happens to all. Each
    /// has its own job, connections and id.
    std::uint32_t tasks = 1;
    Topology topology{};
    std::uint32_t resources = 1;  ///< locks that each client takes, each at a different server
    Duration command_timeout = std::chrono::seconds(1);
    /// For one lock at one master, but not of drivers: the resource is in the same Redis, and a
    /// job's write is a script that does nothing unless the lock's key holds its token.
    bool guards_writes = false;

    /// How many tasks want the lock, each on its own. Ids count these, client by client.
    std::uint32_t workers() const { return clients * tasks; }
};

/// What its history says of the run; `key` is the lock's.
HistoryHead head_of(const RunShape& shape, const Key& key);

struct RunRounds {
    Workload workload{};
    /// After this many grants the run winds down.
    std::uint64_t grants = 30;
    /// If no grant comes for this long, the run ends, and a client that wants a free lock is stuck.
    /// Must be longer than any job, pause or time-out.
    Duration patience = std::chrono::seconds(10);
    /// The unit of fault amounts, and the longest time until a client learns of a failover: the
    /// TTL, or what stands for it if there is none.
    Duration scale = std::chrono::seconds(10);
    /// Only in sim.
    RegularPauses pauses{};
    /// False only in sim, in older traces: an eviction takes the lock's key, and no other one.
    bool evicts_any_key = true;
};

}  // namespace locklab
