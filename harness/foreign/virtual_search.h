// Search of real libraries in virtual time: many plays, each with another order of messages, timers
// and faults. What it finds is an overlap that the order of answers proves; that it finds nothing
// proves nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/check/oracle_tally.h"
#include "harness/core/watcher.h"
#include "harness/foreign/play_deviations.h"
#include "harness/foreign/virtual_play.h"

namespace locklab {

enum class PlayOrder : std::uint8_t {
    random,
    pct,
    delay,  ///< all with at most so many choices that are not the calm one, fewest first
};

struct VirtualSearchLimits {
    PlayOrder order = PlayOrder::pct;
    std::uint64_t plays = 1000;
    /// Of priorities in a play (pct), or choices that are not calm (delay).
    std::uint32_t changes = 2;
    /// Each has a server and drivers of its own. Of `delay` there is one.
    std::uint32_t threads = 1;
    /// What else there is to say of each play, as its history tells it with its commands: looks at
    /// the key take a third of the time.
    bool asks_oracles = false;
};

struct VirtualFind {
    /// Of the shrunk choices, in which an overlap was proved; it tells its commands where the play
    /// is the same so.
    PlayResult play;
    PlayDeviations deviations;
    std::size_t found_with = 0;   ///< so many deviations, before it was shrunk
    std::uint64_t shrunk_in = 0;  ///< plays
    bool proves_again = false;    ///< the same choices gave an overlap each time
    bool came_again = false;      ///< and the same history
    bool was_stopped = false;     ///< before they could be played again
    std::string trouble;          ///< that ended another play of them; empty: none
};

struct VirtualSearchResult {
    std::uint64_t plays = 0;  ///< with the one that was found, and those that are not whole
    std::uint64_t choices = 0;
    std::uint64_t grants = 0;
    std::uint64_t inside = 0;     ///< steps that were answered ok, and not lost
    std::uint64_t not_whole = 0;  ///< plays that were ended, since they went on for too long
    std::uint64_t hung = 0;       ///< plays at whose end a client waits for what was lost
    LostRuns lost;                ///< they do not count
    std::uint64_t died = 0;       ///< plays in which a process ended by itself
    std::string how_it_died;      ///< in the first of these that was made
    OracleTally oracles;          ///< of the plays up to the find, where they were looked for
    /// Whole plays in which each fault struck.
    std::array<std::uint64_t, kHazards.size()> struck{};
    bool all_played = false;  ///< of `delay`: there are no others within the bound
    bool interrupted = false;
    std::string first_error;
    std::optional<VirtualFind> find;

    /// One more play.
    void count(const PlayResult& play);
    /// Those that show something: one that was ended could have gone on to an overlap.
    std::uint64_t whole() const { return plays > not_whole ? plays - not_whole : 0; }
};

/// Why a search under these faults that found nothing shows nothing, as a clause; empty: it shows
/// what plays can show.
std::string why_nothing(const VirtualSearchResult& result, const FaultBudget& faults);

/// One play, of given choices. Throws DriverTrouble; and UsageError for choices that it does not
/// have.
VirtualSearchResult replay_virtually(const Subject& subject, const PlaySpec& spec,
                                     const PlayDeviations& deviations);

/// Ends at the first find, which is the same for any number of threads. The first play is calm.
/// Throws DriverTrouble.
VirtualSearchResult search_virtually(const Subject& subject, const PlaySpec& spec,
                                     const VirtualSearchLimits& limits, const Watcher& watcher);

}  // namespace locklab
