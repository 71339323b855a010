// What a search learns about progress, in states where no client has the lock and nothing is on its
// way: whether each live client gets it, how long it waits alone, and which client never gets it.
#pragma once

#include <functional>
#include <optional>

#include "harness/explore/orphan_probe.h"
#include "harness/explore/path.h"
#include "harness/explore/state_set.h"

namespace locklab {

class ProgressWatch {
public:
    /// `algorithm` and `rules` must outlive the watch.
    ProgressWatch(const Algorithm& algorithm, Rules& rules)
        : algorithm_(algorithm), rules_(rules), probe_(algorithm, rules) {}

    /// Whether look() could find anything new in a state that is at rest. Safe from several threads
    /// while none looks.
    bool is_news(const State& state) const;
    /// Checks a state that is at rest; skips it if a client went without a release, since what that
    /// left behind is no error. True if a client is stuck there.
    bool look(StateId id, const State& state, const std::function<Path()>& way_to_it);
    /// Whether a newcomer cannot stand for all clients: then the search must ask for each client
    /// with what it has seen, so it must tell a client that is done from one that is dead.
    bool should_keep_clients() const;
    void forget();

    /// The client that is stuck, after look() returned true.
    std::optional<ClientId> stuck() const { return stuck_; }
    Duration longest_wait() const { return longest_wait_; }
    /// Where the longest wait begins, and the client that waits: one of that state, or kNewcomer.
    struct Waiting {
        StateId id;
        std::uint32_t client;
    };
    const std::optional<Waiting>& waiting() const { return waiting_; }
    bool counts_on_waiters() const { return counts_on_waiters_; }

private:
    bool all_release(const State& state) const {
        return rules_.environment(state).budget.leaves() == rules_.bounds().leaves;
    }
    /// Who tries alone in the state: the live clients, if the bounds keep them apart, or else a
    /// newcomer.
    template <class Ask>
    void each_who_tries(const State& state, Ask ask) const;
    bool gets_it_alone(StateId id, const State& state, std::uint32_t client);

    const Algorithm& algorithm_;
    Rules& rules_;
    OrphanProbe probe_;
    ScriptEngine scripts_;  ///< of the runs that are repeated
    std::optional<ClientId> stuck_;
    Duration longest_wait_{0};
    std::optional<Waiting> waiting_;
    bool counts_on_waiters_ = false;
    bool needs_waiters_ = false;  ///< a newcomer gets the lock only after other clients
};

}  // namespace locklab
