// Options that say where a run takes place, shared by verbs that run something.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "harness/cli/command_line.h"
#include "harness/core/client_options.h"
#include "harness/core/lock.h"
#include "harness/core/topology.h"
#include "harness/core/world_kind.h"

namespace locklab {

/// --world. Throws UsageError.
WorldKind world_option(const CommandLine& line);

/// --topology; nothing if it is missing. Throws UsageError.
std::optional<Topology> topology_option(const CommandLine& line);
inline constexpr Option kTopologyOption{
    "topology", kText, "Redis servers: one, masters:2 and so on (default: the lock's own)"};

/// --client-ttl, --client-renewal, --client-job and --client-mode: options of single clients.
/// Throws UsageError.
UnequalClients unequal_clients(const CommandLine& line);
/// The same, without options that this lock lacks: a TTL, a renewal, a mode.
UnequalClients unequal_clients_for(const CommandLine& line, const Algorithm& algorithm);
/// Throws UsageError if options are given for a client beyond this number; `most` is the largest
/// possible number.
void check_clients_are_there(const UnequalClients& unequal, std::uint32_t clients,
                             std::uint64_t most);
/// Throws UsageError if --client-mode is given and none of the locks has both modes.
void check_client_mode(const CommandLine& line, std::span<const Algorithm* const> locks);
inline constexpr Option kClientTtlOption{
    "client-ttl", kText, "TTLs of single clients, as B=500ms,C=2s (A is the first)"};
inline constexpr Option kClientRenewalOption{"client-renewal", kText,
                                             "the same, of the time between two renewals"};
inline constexpr Option kClientJobOption{"client-job", kText,
                                         "the same, of how long each of its jobs is"};
inline constexpr Option kClientModeOption{
    "client-mode", kText, "how single clients want a read-write lock, as A=alone,B=shared"};

inline constexpr Option kTasksOption{
    "tasks", preset("1"), "tasks of each client that share its lock object, each with its own job"};

/// --redis, else LOCKLAB_REDIS: host:port, or empty for a private server; and start_servers_of().
/// Throws UsageError, also for --redis or --server in the simulator.
std::string redis_option(const CommandLine& line, WorldKind world);
/// --server, if the verb has it: which servers locklab starts from now on. Throws UsageError.
ServerKind start_servers_of(const CommandLine& line);
inline constexpr Option kServerOption{
    "server", preset("redis"),
    "live: which servers to start: redis, redis8, valkey8 or valkey (see 'servers')"};

}  // namespace locklab
