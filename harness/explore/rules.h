// The steps that a state of the search offers, and where each leads: the rules of the stage, for
// all clients at once. Pending things happen in any order; time passes only when nothing must be
// done now; faults are offered in every state while their budget lasts.
//
// What is not known of clients and servers is learnt on the way. Functions named `known` learn
// nothing, and are safe from several threads while none learns.
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
#include "harness/explore/evicted_keys.h"
#include "harness/explore/server_table.h"
#include "harness/explore/state.h"
#include "harness/explore/symmetry.h"

namespace locklab {

/// A try that is refused falsely: its steps from the first command on, all of one client.
struct FalseRefusal {
    std::vector<Step> steps;
    bool of_own = false;  ///< true: the lock was the caller's own; false: it was free
};

/// The successors of a state: `steps[i]` leads to `states[i]`. Coverage accumulates.
struct Successors {
    std::vector<Step> steps;
    std::vector<State> states;
    Coverage coverage;
    /// Whether to look for false refusals of each try that may begin in the state.
    bool asks_refusals = false;
    std::vector<FalseRefusal> refusals;

    std::size_t size() const { return steps.size(); }
    bool empty() const { return steps.empty(); }
};

class Rules {
public:
    Rules(const Algorithm& algorithm, const Bounds& bounds);

    /// The start states: one, or several if clocks may be wrong from the start.
    const std::vector<State>& initial() const { return learnt_->initial; }
    /// Every step that can be made; the fault-free ones of clients and network come first.
    void offer(const State& state, std::vector<Step>& steps);
    /// The same without faults; if not `early`, everything lasts its full length.
    void offer_calm(const State& state, bool early, std::vector<Step>& steps);
    /// The state after a step that was offered.
    State after(const State& state, const Step& step);
    /// Every step and its successor, reduced if the bounds ask for it; `out` is cleared.
    void expand(const State& state, Successors& out);
    /// The same if everything is known; else false, and `out` is unusable.
    bool expand_known(const State& state, Successors& out) const;
    /// Replaces a state by the one that is kept of all its renamings. Client i of the new state was
    /// client `clients[i]` of what is returned, and so for servers.
    Renaming reduce(State& state);
    /// The same step, once client and server i are called those that `is_now` has for them.
    Step renamed(const State& state, const Step& step, const Renaming& is_now) const;

    /// Adds what a step made in that state exercises.
    void cover(const State& state, const Step& step, Coverage& coverage) const;

    Crowd inside(const State& state) const;
    /// Whether more clients are inside than permitted, or a grant's fencing token is not higher
    /// than an earlier one.
    bool is_violated(const State& state) const;
    /// No client is between a try and the end of its release, and nothing is on its way: the next
    /// client to try should get the lock.
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
    /// See ClientModel::run_to().
    void run_to(Actor& actor, std::uint32_t node, std::uint32_t client) {
        learnt_->clients.run_to(actor, node, client);
    }
    const Bounds& bounds() const { return bounds_; }
    std::uint32_t nodes() const { return nodes_; }
    /// Whether the order of grants is known, so that their fencing tokens can be compared.
    bool orders_tokens() const { return bounds_.orders_tokens(); }
    bool is_on_redis() const { return algorithm_.on_redis(); }
    /// Whether several clients may have the lock at once: then its key does not show its holder.
    bool is_shared() const { return algorithm_.permits != 1; }
    /// Whether states that differ only by a renaming of clients count as one.
    bool is_symmetric() const { return bounds_.symmetry && !clients().is_apart(); }
    /// Whether of several states that differ only by a renaming one is kept.
    bool reduces() const { return is_symmetric() || clients().has_like_servers(); }
    /// Whether states must include the time: the lock reads a clock.
    bool tells_time() const { return clients().reads_clock(); }

    /// What would have mattered from the start. If it changes during a search, the search must
    /// start again.
    struct Lesson {
        bool tells_time = false;
        ToldApart apart;
        std::size_t scripts = 0;  ///< number of scripts looked for in a server's cache
        bool operator==(const Lesson&) const = default;
    };
    Lesson lesson() const {
        const ClientModel& model = clients();
        const ToldApart apart{model.is_apart() || model.tells_clients() || model.cuts_tokens(),
                              learnt_->apart.servers || model.tells_servers()};
        return {tells_time(), apart, learnt_->server.scripts().size()};
    }
    /// Learns the tables again where needed; numbers in earlier states then lose their meaning.
    void begin_anew();

private:
    friend class Expansion;

    struct Learnt {
        Learnt(const Algorithm& algorithm, const Bounds& bounds, ToldApart told_apart,
               ScriptNames scripts = {})
            : apart(told_apart),
              clients(algorithm, bounds, apart),
              client_table(clients, bounds),
              server(clients, std::move(scripts),
                     keys_of(bounds.keys, bounds.clients, bounds.tokens)),
              servers(server, Packing(bounds).most()),
              environments(Packing(bounds).most_environments()) {}

        const ToldApart apart;
        ClientModel clients;
        ClientTable client_table;
        ServerModel server;
        ServerTable servers;
        EnvironmentTable environments;
        std::vector<State> initial;
        /// How many scripts were known from the start.
        const std::size_t scripts_at_first = server.scripts().size();
    };

    void add_initial();

    const Algorithm& algorithm_;
    const Bounds bounds_;
    const std::uint32_t nodes_;
    std::array<Mode, Bounds::kMostClients> modes_{};  ///< the mode of each client
    const Times times_;
    std::unique_ptr<Learnt> learnt_;
};

}  // namespace locklab
