// Every state that the bounds allow, breadth first, so that the first violation is a shortest one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/explore/coverage.h"
#include "harness/explore/path.h"

namespace locklab {

/// Why nothing is known where `has_ghosts`.
inline constexpr const char* kGhosts =
    "a background task outlives its client's work, and is not followed";

/// What is looked for.
enum class Goal : std::uint8_t {
    any,
    exclusion,  ///< more clients inside at once than may be, and nothing else
    progress,   ///< a client that never gets the lock, even where exclusion is broken before
};

struct SearchLimits {
    std::uint64_t memory = std::uint64_t{2} << 30;  ///< bytes, for states
    std::uint32_t threads = 1;
    /// With more states it is ended, and the verdict is unknown.
    std::uint64_t states = std::numeric_limits<std::uint64_t>::max();
    Goal goal = Goal::any;
    /// A witness that is longer is not looked for: then the verdict is unknown.
    std::size_t depth = std::numeric_limits<std::size_t>::max();
    /// Nor a witness of a stuck client that is longer than this.
    std::size_t stuck_depth = std::numeric_limits<std::size_t>::max();
};

/// Tries that are refused though the lock is the caller's own, or nobody's: no violation.
struct FalseRefusals {
    std::uint64_t of_own = 0;  ///< states and tries
    std::uint64_t of_nobodys = 0;
    Path witness;  ///< a shortest way into such a try, and to its end

    std::uint64_t count() const { return of_own + of_nobodys; }
};

struct SearchResult {
    /// Violated if too many clients can be inside at once; stuck if they cannot, but some client
    /// that is alive may never get the lock; holds if neither can happen; unknown if the search was
    /// not finished and found no violation.
    Verdict verdict = Verdict::unknown;
    /// Also where it is violated: a shortest way to where a client is stuck, and who. A client by
    /// the number of clients is one that comes anew, since nobody is alive.
    struct Stuck {
        Path witness;
        ClientId client;
    };
    std::optional<Stuck> stuck;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;  ///< from one state to another
    std::uint64_t depth = 0;  ///< of the longest path that was begun
    std::uint64_t client_runs = 0;
    std::uint64_t memory = 0;
    std::uint64_t digest = 0;
    Path witness;  ///< a shortest one; no steps if it holds
    /// Orphaned: the longest that anybody would wait for a lock that nobody alive holds and that is
    /// freed in the end, and how it comes to that; no steps if nobody waits.
    Duration longest_orphan{0};
    Path orphan_witness;
    ClientId orphan_waiter;  ///< who waits then, as in `stuck`
    /// Somewhere a client gets the lock only because others have it before.
    bool counts_on_waiters = false;
    /// It did not ask of each client whether it is stuck, and should.
    bool should_keep_clients = false;
    FalseRefusals false_refusals;
    Coverage coverage;  ///< what was exercised, up to where the search ended
    /// The lock does something else with other tokens, so these few do not speak for all.
    bool cuts_tokens = false;
    /// A background task outlived its client's work, and was not followed any further.
    bool has_ghosts = false;
    std::string why_unknown;
};

/// Told between two parts of the work.
struct SearchProgress {
    std::uint64_t states = 0;
    std::uint64_t waiting = 0;  ///< states that are yet to be looked at
    std::uint64_t memory = 0;
};
using TellProgress = std::function<void(const SearchProgress&)>;

/// One search, with the tokens that the bounds name, whatever its end is worth.
SearchResult search_states(const Algorithm& algorithm, const Bounds& bounds,
                           const SearchLimits& limits, const std::atomic<bool>& stop,
                           const TellProgress& tell);

/// What it shows: `holds` only where that speaks for all tokens and for each fault that was asked
/// about.
SearchResult search_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                                 const SearchLimits& limits, const std::atomic<bool>& stop,
                                 const TellProgress& tell);

/// A fault that has nothing to strike shows nothing: as in a campaign, `holds` becomes unknown.
void refuse_idle_faults(const Algorithm& algorithm, const Bounds& bounds, SearchResult& result);

}  // namespace locklab
