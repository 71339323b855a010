// The steps that a state of the search offers, and where each leads: the rules of the stage, for
// every client at once. All that is pending is due in any order; time passes only when nothing must
// be done now; faults are offered at every state, while their budget lasts.
//
// What is not known of clients and server is learnt on the way. Whatever says `known` learns
// nothing, and is safe from several threads while nobody learns.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/explore/client_table.h"
#include "harness/explore/coverage.h"
#include "harness/explore/environment.h"
#include "harness/explore/server_table.h"
#include "harness/explore/state.h"

namespace locklab {

/// A try that is refused falsely: the steps from its first command on, all of the same client.
struct FalseRefusal {
    std::vector<Step> steps;
    bool of_own = false;  ///< the lock is the caller's own; else nobody's
};

/// What a state leads to: `steps[i]` to `states[i]`. What was exercised on the way is added up.
struct Successors {
    std::vector<Step> steps;
    std::vector<State> states;
    Coverage coverage;
    /// Of each try that may begin in the state, if that is asked for.
    bool asks_refusals = false;
    std::vector<FalseRefusal> refusals;

    std::size_t size() const { return steps.size(); }
    bool empty() const { return steps.empty(); }
};

class Rules {
public:
    Rules(const Algorithm& algorithm, const Bounds& bounds);

    /// Where runs begin: one, or several where clocks may be off from the start.
    const std::vector<State>& initial() const { return learnt_->initial; }
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

    /// What a step exercises that is made there.
    void cover(const State& state, const Step& step, Coverage& coverage) const;

    Crowd inside(const State& state) const;
    /// Whether more clients are inside than may be, or a grant's fencing token is old.
    bool is_violated(const State& state) const;
    /// Nobody is anywhere between a try and the end of its release, and nothing is on its way: who
    /// comes now should get the lock.
    bool is_at_rest(const State& state) const;
    bool oracle_is_free(const State& state) const;

    const ClientModel& clients() const { return learnt_->clients; }
    const ClientTable& client_table() const { return learnt_->client_table; }
    const Environment& environment(const State& state) const {
        return learnt_->environments.at(state.environment);
    }
    const ServerState& server_state(const State& state, std::uint32_t server) const {
        return learnt_->servers.at(state.servers[server]);
    }
    ServerModel& server() { return learnt_->server; }
    const ServerModel& server() const { return learnt_->server; }
    TokenNames& names() { return learnt_->clients.names(); }
    /// As ClientModel's.
    void run_to(Actor& actor, std::uint32_t node, std::uint32_t client) {
        learnt_->clients.run_to(actor, node, client);
    }
    const Bounds& bounds() const { return bounds_; }
    std::uint32_t nodes() const { return nodes_; }
    /// Whether it is known which grant came first, so that their tokens can be compared.
    bool orders_tokens() const { return bounds_.orders_tokens(); }
    bool is_on_redis() const { return algorithm_.on_redis(); }
    /// Whether several may have the lock at once: then nobody says whose its key is.
    bool is_shared() const { return algorithm_.permits != 1; }
    /// Whether states that differ by the numbers of clients alone are the same.
    bool is_symmetric() const { return bounds_.symmetry && !clients().is_apart(); }
    /// Whether states must tell the time: a lock looks at its clock.
    bool tells_time() const { return clients().reads_clock(); }

    /// What would have mattered from the start had it been known. If it changes while a search goes
    /// on, the search must begin anew.
    struct Lesson {
        bool tells_time = false;
        bool is_apart = false;
        std::size_t scripts = 0;  ///< that are looked for in a server's cache
        bool operator==(const Lesson&) const = default;
    };
    Lesson lesson() const {
        const ClientModel& model = clients();
        return {tells_time(), model.is_apart() || model.tells_clients() || model.cuts_tokens(),
                learnt_->server.scripts().size()};
    }
    /// Every number of a state means something else afterwards.
    void begin_anew();

private:
    friend class Expansion;

    struct Learnt {
        Learnt(const Algorithm& algorithm, const Bounds& bounds, bool apart,
               ScriptNames scripts = {})
            : clients(algorithm, bounds, apart),
              client_table(clients, bounds),
              server(clients, std::move(scripts), bounds.keys),
              servers(server, Packing(bounds).most()),
              environments(Packing(bounds).most_environments()) {}

        ClientModel clients;
        ClientTable client_table;
        ServerModel server;
        ServerTable servers;
        EnvironmentTable environments;
        std::vector<State> initial;
        /// So many scripts were known to be looked for from the start.
        const std::size_t scripts_at_first = server.scripts().size();
    };

    void add_initial();

    const Algorithm& algorithm_;
    const Bounds bounds_;
    const std::uint32_t nodes_;
    std::array<Mode, Bounds::kMostClients> modes_{};  ///< how each client wants the lock
    const Times times_;
    std::unique_ptr<Learnt> learnt_;
};

}  // namespace locklab
