// The steps that a state of the search offers, and where each leads: the rules of the stage, for
// every client at once. All that is pending is due in any order; time passes only when nothing must
// be done now; faults are offered at every state, while their budget lasts.
//
// What is not known of clients and server is learnt on the way. Whatever says `known` learns
// nothing, and is safe from several threads while nobody learns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/explore/state.h"

namespace locklab {

/// What a state leads to: `steps[i]` to `states[i]`.
struct Successors {
    std::vector<Step> steps;
    std::vector<State> states;

    std::size_t size() const { return steps.size(); }
    bool empty() const { return steps.empty(); }
};

class Rules {
public:
    Rules(const Algorithm& algorithm, const Bounds& bounds);

    /// Where runs begin: one, or several where clocks may be off from the start.
    const std::vector<State>& initial() const { return initial_; }
    /// Every step that can be made, the calm ones of clients and network first.
    void offer(const State& state, std::vector<Step>& steps);
    /// The same without faults; where not `early`, whatever lasts so long at most lasts so long.
    void offer_calm(const State& state, bool early, std::vector<Step>& steps);
    /// Where a step that is offered leads.
    State after(const State& state, const Step& step);
    /// Every step with where it leads, reduced where the bounds say so; `out` is cleared.
    void expand(const State& state, Successors& out);
    /// The same, where everything is known; else false, and `out` means nothing.
    bool expand_known(const State& state, Successors& out) const;
    /// Of all states that differ by the numbers of clients alone, the one that is kept. Client i of
    /// that was client `from[i]`.
    Permutation reduce(State& state);

    /// Whether two clients are inside.
    bool is_violated(const State& state) const;
    /// Nobody is anywhere between a try and the end of its release, and nothing is on its way: who
    /// comes now should get the lock.
    bool is_at_rest(const State& state) const;
    bool oracle_is_free(const State& state) const;

    const ClientModel& clients() const { return clients_; }
    const PartTable& parts() const { return parts_; }
    const Setting& setting(const State& state) const { return settings_.at(state.setting); }
    ServerModel& server() { return server_; }
    const Bounds& bounds() const { return bounds_; }
    /// Whether states must tell the time: a lock looks at its clock. If this changes while a
    /// search goes on, the search must begin anew.
    bool tells_time() const { return clients_.reads_clock(); }

private:
    friend class Expansion;

    void add_initial();

    const Bounds bounds_;
    const Times times_;
    ClientModel clients_;
    PartTable parts_;
    ServerModel server_;
    SettingTable settings_;
    std::vector<State> initial_;
};

}  // namespace locklab
