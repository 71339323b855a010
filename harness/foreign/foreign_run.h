// One run of clients that are processes: their servers, a proxy between them, and what befalls
// them.
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
#include "harness/foreign/foreign_servers.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/team.h"
#include "harness/inclusion/inclusion.h"

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
    std::set<std::uint32_t> seen_inside;  ///< clients of which a step was answered ok
    Told told;                            ///< who was inside together with a later one
    /// By node, at the proxy: that named the lock's key.
    std::vector<std::uint64_t> commands;
    std::uint64_t complaints = 0;  ///< what drivers said of themselves, unasked
    std::string first_error;       ///< that a library gave; empty: none did
    std::optional<Disturbance> disturbance;
    Duration lag{0};  ///< how late the machine was, at worst
    /// Why it ended before it had all its grants, though clients wanted more; empty: it did not.
    std::string fell_short;
    bool interrupted = false;
};

/// On as many servers as its topology has masters. Throws DriverTrouble with one sentence for a
/// driver that is none, and std::runtime_error where there is no server. Nothing of the run goes on
/// after it but the team. Where the plan has a server's clock jump, their clocks can be wrong.
ForeignResult run_foreign(const ForeignConfig& config, ForeignServers& servers, Team& team,
                          const std::function<bool()>& interrupted);

}  // namespace locklab
