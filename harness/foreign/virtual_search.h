// Search of real libraries in virtual time: many plays, each with another order of messages, timers
// and faults. A counterexample is an overlap that the order of answers proves; finding none proves
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/check/oracle_tally.h"
#include "harness/core/watcher.h"
#include "harness/foreign/hangs.h"
#include "harness/foreign/play_deviations.h"
#include "harness/foreign/virtual_play.h"

namespace locklab {

enum class PlayOrder : std::uint8_t {
    random,
    pct,
    delay,  ///< all plays with a bounded number of non-default choices, fewest first
};

struct VirtualSearchLimits {
    PlayOrder order = PlayOrder::pct;
    std::uint64_t plays = 1000;
    /// Changes of priorities in a play (pct), or non-default choices (delay).
    std::uint32_t changes = 2;
    /// Each has its own server and drivers. For `delay` there is one.
    std::uint32_t threads = 1;
    /// Where the first thread is kept, of those that this process may use; others follow in order.
    std::uint32_t first_processor = 0;
    /// What else there is to say of each play, as its history tells it with its commands: looks at
    /// the key take a third of the time.
    bool asks_oracles = false;
};

struct VirtualFind {
    /// A play with the shrunk choices that proved an overlap; its history has commands if they did
    /// not change the play.
    PlayResult play;
    PlayDeviations deviations;
    std::uint64_t seed = 0;       ///< of the play; later plays of a search have others
    std::size_t found_with = 0;   ///< number of deviations before shrinking
    std::uint64_t shrunk_in = 0;  ///< number of plays
    bool proves_again = false;    ///< the same choices gave an overlap each time
    bool came_again = false;      ///< and also the same history
    bool was_stopped = false;     ///< stopped before the choices could be played again
    std::string trouble;          ///< what ended another play of the choices; empty: nothing
};

struct VirtualSearchResult {
    std::uint64_t plays = 0;  ///< including the counterexample, and plays that are not whole
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
    Hangs hangs;              ///< of servers, in whole plays
    bool all_played = false;  ///< for `delay`: every play within the bound was made
    bool interrupted = false;
    std::string first_error;
    std::optional<VirtualFind> find;

    /// Counts one more play.
    void count(const PlayResult& play);
    /// Plays that show something: one that was ended early could have gone on to an overlap.
    std::uint64_t whole() const { return plays > not_whole ? plays - not_whole : 0; }
};

/// Why a search under these faults without a counterexample shows nothing, as a clause; empty: it
/// shows what plays can show.
std::string why_nothing(const VirtualSearchResult& result, const FaultBudget& faults);

/// Makes one play of given choices. Throws DriverTrouble, and UsageError for choices that the play
/// lacks.
VirtualSearchResult replay_virtually(const Subject& subject, const PlaySpec& spec,
                                     const PlayDeviations& deviations);

/// Stops at the first counterexample, which is the same for any number of threads. The first play
/// has only default choices. Throws DriverTrouble.
VirtualSearchResult search_virtually(const Subject& subject, const PlaySpec& spec,
                                     const VirtualSearchLimits& limits, const Watcher& watcher);

}  // namespace locklab
