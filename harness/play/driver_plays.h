// Scenarios, played on driver processes: each line is played as on the lock that the library is
// like, and the outcome is compared with that lock's.
//
// Only proved overlaps count. A scenario that does not reach its point on this library is not
// played, and shows nothing.
#pragma once

#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/foreign/stage_processes.h"
#include "harness/foreign/subject.h"
#include "harness/live/runs_at_once.h"
#include "harness/stage/play.h"

namespace locklab {

struct DriverPlay {
    enum class End : std::uint8_t {
        not_done,  ///< interrupted before
        played,
        not_played,  ///< `why`: what this scenario needs and cannot have here
        disturbed,   ///< `why`: who was too slow each time
    };
    const Scenario* scenario = nullptr;
    const Subject* subject = nullptr;
    const Algorithm* like = nullptr;  ///< our lock for comparison
    Duration ttl{0};
    End end = End::not_done;
    std::string why;  ///< a sentence without its full stop
    Play play;
    Outcome expected;                      ///< the outcome with our lock
    std::vector<std::string> differences;  ///< half sentences; none: as expected
    /// Outcomes of our lock that were not seen here, since a holder was told of its loss in time or
    /// did nothing more inside.
    std::vector<std::string> not_shown;
    std::string library_error;  ///< the library's first error
    std::uint64_t proved_overlaps = 0;
    bool was_late = false;  ///< this machine disturbed an attempt

    bool is_as_expected() const { return end == End::played && differences.empty(); }
};

/// Plays under way at once. They mostly wait for time to pass, but a library's runtime may be
/// large.
constexpr RunsAtOnce::Bounds kPlaysAtOnce{1, 4, 8};

struct DriverPlayOptions {
    Duration ttl{0};
    RunsAtOnce& at_once;  ///< what it has learnt of this machine serves the next subject, too
    Watcher watcher;
};

/// Every scenario with the subject. `like`: our lock for comparison.
std::vector<DriverPlay> driver_plays_of(const std::vector<Scenario>& scenarios,
                                        const Subject& subject, const Algorithm& like);

/// Plays one. Throws DriverTrouble for a driver that breaks the protocol.
void play_on_drivers(DriverPlay& play, Duration ttl, StageProcesses& processes);
/// Plays all of one subject. Ends early if it is stopped.
void play_all_on_drivers(std::vector<DriverPlay>& plays, const DriverPlayOptions& options);

/// Why this scenario cannot be played on driver processes of the subject; empty: it can.
std::string why_not_played(const Scenario& scenario, const Subject& subject);

}  // namespace locklab
