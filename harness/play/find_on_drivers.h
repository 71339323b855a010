// A counterexample of a search, played on driver processes of a library that is like the searched
// lock: the same clients run, the same commands are delivered, and the same faults strike.
#pragma once

#include <string>

#include "harness/check/judge.h"
#include "harness/core/scene.h"
#include "harness/foreign/stage_processes.h"
#include "harness/foreign/subject.h"
#include "harness/play/step_player.h"

namespace locklab {

struct DriverFind {
    std::string not_played;  ///< why, without a full stop; empty: it was played
    Scene scene;
    Judgement judgement;  ///< with proved overlaps only
    Judgement in_sim;     ///< of the lock that was searched

    /// One play on real processes cannot show that a lock holds.
    bool shows_something() const {
        return not_played.empty() && judgement.verdict != Verdict::holds;
    }
    bool is_as_expected() const {
        return not_played.empty() && judgement.verdict == in_sim.verdict;
    }
};

/// Throws DriverTrouble for a driver that breaks the protocol, and UsageError if the counterexample
/// is of another lock than the one that the subject is like.
DriverFind play_on_drivers(const Find& find, const Subject& subject, StageProcesses& processes);

/// "lib:redis-py: as expected: violated", "differs from set_nx_lua, which is violated: stuck".
std::string verdict_words(const DriverFind& played, const Find& find, const Subject& subject);

}  // namespace locklab
