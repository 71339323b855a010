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
#include "harness/explore/ranks.h"

namespace locklab {

/// The reason for `unknown` if `has_ghosts`.
inline constexpr const char* kGhosts =
    "a background task outlives its client's work, and is not followed";

/// What the search looks for.
enum class Goal : std::uint8_t {
    any,
    exclusion,  ///< more clients inside at once than permitted, and nothing else
    progress,   ///< a client that never gets the lock, even after a violation of exclusion
};

struct SearchLimits {
    std::uint64_t memory = std::uint64_t{2} << 30;  ///< bytes, for states; of each rank
    std::uint32_t threads = 1;
    /// Who shares the states; null: nobody. Then every rank makes the same searches in the same
    /// order, with one and the same result, and `stop` is that of the ranks.
    Ranks* ranks = nullptr;
    /// With more states the search ends, and the verdict is unknown.
    std::uint64_t states = std::numeric_limits<std::uint64_t>::max();
    Goal goal = Goal::any;
    /// The greatest length of a witness that is looked for; beyond it the verdict is unknown.
    std::size_t depth = std::numeric_limits<std::size_t>::max();
    /// The same for a witness of a stuck client.
    std::size_t stuck_depth = std::numeric_limits<std::size_t>::max();
};

/// Tries that are refused although the lock is free or the caller's own: no violation.
struct FalseRefusals {
    std::uint64_t of_own = 0;  ///< counts pairs of a state and a try
    std::uint64_t of_nobodys = 0;
    Path witness;  ///< a shortest path to the end of such a try

    std::uint64_t count() const { return of_own + of_nobodys; }
};

struct SearchResult {
    /// Violated: too many clients can be inside at once. Stuck: they cannot, but some live client
    /// may never get the lock. Holds: neither can happen. Unknown: the search did not finish and
    /// found no violation.
    Verdict verdict = Verdict::unknown;
    /// A shortest path to a stuck client, and which client; also set if the verdict is violated.
    /// The number of clients stands for a newcomer, if no client is alive.
    struct Stuck {
        Path witness;
        ClientId client;
    };
    std::optional<Stuck> stuck;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;  ///< transitions between states
    std::uint64_t depth = 0;  ///< of the longest path that was begun
    std::uint64_t client_runs = 0;
    std::uint64_t memory = 0;
    std::uint64_t digest = 0;
    Path witness;  ///< a shortest one; empty if the lock holds
    /// Orphaned lock: the longest time that a client would wait for a lock that no live client
    /// holds and that gets free in the end, and the path to it; empty if no client waits.
    Duration longest_orphan{0};
    Path orphan_witness;
    ClientId orphan_waiter;  ///< the waiting client, numbered as in `stuck`
    /// In some state a client gets the lock only after other clients have had it.
    bool counts_on_waiters = false;
    /// The search merged waiting clients, but should have asked of each whether it is stuck.
    bool should_keep_clients = false;
    FalseRefusals false_refusals;
    Coverage coverage;  ///< exercised until the search ended
    /// The lock acts differently with other tokens, so the few of this search do not prove all.
    bool cuts_tokens = false;
    /// A background task outlived its client's work, and was not followed further.
    bool has_ghosts = false;
    std::string why_unknown;
};

/// Reported between two parts of the work.
struct SearchProgress {
    std::uint64_t states = 0;
    std::uint64_t waiting = 0;  ///< states that are not expanded yet
    std::uint64_t memory = 0;
};
using TellProgress = std::function<void(const SearchProgress&)>;

/// One search with the tokens that the bounds name. The verdict is not checked any further.
SearchResult search_states(const Algorithm& algorithm, const Bounds& bounds,
                           const SearchLimits& limits, const std::atomic<bool>& stop,
                           const TellProgress& tell);

/// The search and what it proves: `holds` only if that is true of all tokens and if each fault in
/// the bounds can strike the lock.
SearchResult search_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                                 const SearchLimits& limits, const std::atomic<bool>& stop,
                                 const TellProgress& tell);

/// A fault that cannot strike the lock proves nothing: as in a campaign, `holds` becomes unknown.
void refuse_idle_faults(const Algorithm& algorithm, const Bounds& bounds, SearchResult& result);

}  // namespace locklab
