// One run of clients that are processes: a server, a proxy between them, and what befalls them.
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
#include "harness/foreign/foreign_server.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/team.h"

namespace locklab {

struct ForeignConfig {
    const RunSpec& spec;
    const Subject& subject;
    std::uint64_t seed = 1;
    std::uint64_t run = 0;
};

struct ForeignResult {
    History history;
    std::vector<ProvedOverlap> proved;
    std::set<std::uint32_t> seen_inside;  ///< clients of which a step was answered ok
    Told told;                            ///< who was inside together with a later one
    std::uint64_t commands = 0;           ///< that named the lock's key, at the proxy
    std::uint64_t complaints = 0;         ///< what drivers said of themselves, unasked
    std::string first_error;              ///< that a library gave; empty: none did
    std::optional<Disturbance> disturbance;
    bool interrupted = false;
};

/// Throws DriverTrouble with one sentence for a driver that is none, and std::runtime_error where
/// there is no server. Nothing of the run goes on after it but the team. Where the plan has the
/// server's clock jump, it can be wrong.
ForeignResult run_foreign(const ForeignConfig& config, ForeignServer& server, Team& team,
                          const std::function<bool()>& interrupted);

}  // namespace locklab
