// Plays of scenarios, and whether each was as its file expects.
#pragma once

#include <string>
#include <vector>

#include "harness/core/lock.h"
#include "harness/core/watcher.h"
#include "harness/core/world_kind.h"
#include "harness/live/live_server.h"
#include "harness/stage/play.h"

namespace locklab {

struct PlayedScenario {
    const Scenario* scenario = nullptr;
    const Algorithm* algorithm = nullptr;
    WorldKind world = WorldKind::sim;
    const Expectation* expected = nullptr;  ///< null: the file has no entry for this lock
    Play play;
    Outcome in_sim;            ///< outcome in the simulator...
    std::string not_in_sim{};  ///< ...or why it shows nothing for this lock
    std::string trace;         ///< the file; empty if none was written
    std::string live_options;  ///< options typed for it, for its replay line; each after a space
    bool done = false;         ///< false: interrupted before it was played

    /// Whether it was played, and showed something.
    bool has_verdict() const { return done && !play.disturbed; }
    bool agrees() const { return !not_in_sim.empty() || play.observed == in_sim; }
    /// As the file expects, and as in the simulator.
    bool ok() const;
    std::string replay() const;
};

struct PlayOptions {
    WorldKind world = WorldKind::sim;
    Duration ttl{0};               ///< live: the TTL to which a scenario is scaled
    LiveServer* server = nullptr;  ///< live
    std::string live_options;      ///< see PlayedScenario
    Watcher watcher;
};

/// PlayedScenario::live_options for a TTL, and a server or an empty string.
std::string live_options(Duration ttl, const std::string& redis);

/// Every scenario with every given lock. `scenarios` must outlive the result.
std::vector<PlayedScenario> plays_of(const std::vector<Scenario>& scenarios,
                                     const std::vector<const Algorithm*>& algorithms);
/// The plays for which the files have expectations, in their order.
std::vector<PlayedScenario> expected_plays(const std::vector<Scenario>& scenarios);

/// Plays them all: in sim one after another, live many at a time. Ends early if it is stopped.
/// Returns one sentence if keys may be left on the server, else an empty string.
std::string play_all(std::vector<PlayedScenario>& plays, const PlayOptions& options);

}  // namespace locklab
