// One run of clients that are processes: their servers, the proxy between them, and their faults.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/check/disturbance.h"
#include "harness/check/proved_overlap.h"
#include "harness/core/run_spec.h"
#include "harness/foreign/hangs.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/team.h"
#include "harness/inclusion/inclusion.h"
#include "harness/live/managed_servers.h"

namespace locklab {

struct ForeignConfig {
    const RunSpec& spec;
    const Subject& subject;
    std::uint64_t seed = 1;
    std::uint64_t run = 0;
};

struct ForeignResult {
    History history;
    ServerNotes notes;
    std::vector<ProvedOverlap> proved;
    std::set<std::uint32_t> seen_inside;  ///< clients with a step that was answered ok
    Told told;  ///< what clients were told that were inside together with a later one
    /// By node: commands at the proxy that named the lock's key. Empty: its servers are not Redis.
    std::vector<std::uint64_t> commands;
    Hangs hangs;
    std::uint64_t complaints = 0;  ///< complaints that drivers made unasked
    std::string first_error;       ///< first error of a library; empty: none
    std::optional<Disturbance> disturbance;
    Duration lag{0};  ///< how late the machine was, at worst
    /// Why it ended before it had all its grants, though clients wanted more; empty: it had all.
    std::string fell_short;
    /// A driver that hung, as ForeignClient::hung() says it; empty: none did.
    std::string hung;
    bool interrupted = false;
};

/// Runs on the servers of its topology. Throws DriverTrouble with one sentence for a driver that
/// breaks the protocol, and std::runtime_error if a server is missing. Only the team and the
/// servers outlive the run. If the plan has a jump of a server's clock, the servers' clocks must be
/// able to be wrong.
ForeignResult run_foreign(const ForeignConfig& config, ManagedServers& servers, Team& team,
                          const std::function<bool()>& interrupted);

}  // namespace locklab
