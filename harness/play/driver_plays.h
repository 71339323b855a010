// Scenarios, played on driver processes: each line as it would be played on the lock that the
// library is like, and what came of it compared with what comes of that lock.
//
// An overlap counts where it is proved. A scenario that cannot be brought to its point on this
// library is not played, and shows nothing.
#pragma once

#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/foreign/stage_processes.h"
#include "harness/foreign/subject.h"
#include "harness/stage/play.h"

namespace locklab {

struct DriverPlay {
    enum class End : std::uint8_t {
        not_done,  ///< interrupted before
        played,
        not_played,  ///< `why`: what this scenario asks for is not to be had here
        disturbed,   ///< `why`: who was too slow each time
    };
    const Scenario* scenario = nullptr;
    const Subject* subject = nullptr;
    const Algorithm* like = nullptr;  ///< our lock that it is compared with
    Duration ttl{0};
    End end = End::not_done;
    std::string why;  ///< a sentence without its full stop
    Play play;
    Outcome expected;                      ///< what comes of our lock
    std::vector<std::string> differences;  ///< half sentences; none: as expected
    /// What our lock does, and here was not seen since a holder was told of its loss in time.
    std::vector<std::string> not_shown;
    std::string library_error;  ///< the first that it gave
    std::uint64_t proved_overlaps = 0;

    bool is_as_expected() const { return end == End::played && differences.empty(); }
};

struct DriverPlayOptions {
    Duration ttl{0};
    std::size_t parallel = 1;  ///< plays under way at once
    Watcher watcher;
};

/// Every scenario with every subject. `likes`: for each subject our lock.
std::vector<DriverPlay> driver_plays_of(const std::vector<Scenario>& scenarios,
                                        const Subject& subject, const Algorithm& like);

/// Plays one. Throws DriverTrouble for a driver that is none.
void play_on_drivers(DriverPlay& play, Duration ttl, StageProcesses& processes);
/// Plays them all, of one subject. Ends early if it is stopped.
void play_all_on_drivers(std::vector<DriverPlay>& plays, const DriverPlayOptions& options);

/// Why this scenario cannot be played on driver processes of the subject; empty: it can.
std::string why_not_played(const Scenario& scenario, const Subject& subject);

}  // namespace locklab
