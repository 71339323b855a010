// What a search finds out of progress: whether each client that is alive gets the lock where nobody
// has it and nothing is on its way, how long it waits for it alone, and who never gets it.
#pragma once

#include <functional>
#include <optional>

#include "harness/explore/orphan_probe.h"
#include "harness/explore/path.h"
#include "harness/explore/state_set.h"

namespace locklab {

class ProgressWatch {
public:
    /// Both must outlive it.
    ProgressWatch(const Algorithm& algorithm, Rules& rules)
        : algorithm_(algorithm), rules_(rules), probe_(algorithm, rules) {}

    /// Looks at a state that is at rest, unless somebody went without a release, who may leave
    /// behind what it likes. True if a client is stuck there.
    bool look(StateId id, const State& state, const std::function<Path()>& way_to_it);
    /// A newcomer does not speak for all clients: each has to be asked for itself, with what it has
    /// seen, so one that is done has to be kept apart from one that is dead.
    bool should_keep_clients() const;
    void forget();

    /// Who is stuck where look() said so.
    std::optional<ClientId> stuck() const { return stuck_; }
    Duration longest_wait() const { return longest_wait_; }
    /// Where that wait begins, and whose it is: a client of that state, or kNewcomer.
    struct Waiting {
        StateId id;
        std::uint32_t client;
    };
    const std::optional<Waiting>& waiting() const { return waiting_; }
    bool counts_on_waiters() const { return counts_on_waiters_; }

private:
    bool gets_it_alone(StateId id, const State& state, std::uint32_t client);

    const Algorithm& algorithm_;
    Rules& rules_;
    OrphanProbe probe_;
    ScriptEngine scripts_;  ///< of the runs that are played anew
    std::optional<ClientId> stuck_;
    Duration longest_wait_{0};
    std::optional<Waiting> waiting_;
    bool counts_on_waiters_ = false;
    bool needs_waiters_ = false;  ///< a newcomer gets the lock only after others
};

}  // namespace locklab
