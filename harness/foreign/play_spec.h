// Size of a play of driver processes, its possible faults, and its result.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/fault_budget.h"
#include "harness/core/history.h"
#include "harness/foreign/play_drive.h"
#include "harness/foreign/play_script.h"
#include "harness/foreign/run_story.h"
#include "harness/foreign/subject.h"

namespace locklab {

/// The longest after which a library that is known gives up on a reply, as it comes.
inline constexpr Duration kLibraryTimeout = std::chrono::seconds(5);

struct PlaySpec {
    std::uint32_t clients = 2;
    std::uint32_t nodes = 1;  ///< servers that are independent of one another
    /// Grants of each client, after which it is done.
    std::uint32_t rounds = 2;
    /// Tries per round, after which the client gives up, unless a server hangs or did so less than
    /// a TTL ago.
    std::uint32_t attempts = 3;
    FaultBudget faults;
    Duration ttl{0};
    Duration timeout{0};  ///< of a command, for drivers without time-outs of their own
    std::uint64_t seed = 1;
    int job_percent = 40;     ///< of a TTL: the longest job that no fault makes longer
    int fault_percent = 130;  ///< of a TTL: how long pauses, delays and jobs of a fault are
};

/// A play of this lock, as long as it takes to see what can go wrong with it.
PlaySpec play_of(const Subject& subject, const FaultBudget& faults, std::uint64_t seed);
PlaySpec with_seed(PlaySpec spec, std::uint64_t seed);

struct PlayResult {
    History history;
    std::vector<ProvedOverlap> proved;
    PlayChoices choices;
    PlayScript script;  ///< the moves that were made
    /// A line for each thing that happened, with its time.
    std::string transcript;
    std::string first_error;   ///< that the library gave; empty: none did
    std::string how_it_died;   ///< the first process that ended by itself; empty: none did
    std::uint64_t inside = 0;  ///< steps that were answered ok, and not lost
    bool is_whole = true;      ///< false: it was ended, since it went on for too long
    bool hangs = false;        ///< a client waits at the end for an answer that was lost
};

/// Whether a play's history has commands besides what clients were told: that costs looks at the
/// key.
enum class PlayDetail : std::uint8_t { answers, commands };

}  // namespace locklab
