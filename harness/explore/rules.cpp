#include "harness/explore/rules.h"

#include "harness/explore/expansion.h"

namespace locklab {

Rules::Rules(const Algorithm& algorithm, const Bounds& bounds)
    : algorithm_(algorithm),
      bounds_(bounds),
      nodes_(bounds.nodes()),
      times_(bounds),
      learnt_(std::make_unique<Learnt>(
          algorithm_, bounds_, ToldApart{!bounds.unequal.empty() || algorithm.both_modes, false})) {
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        modes_[i] = its_mode(ClientId{i}, algorithm, bounds.unequal);
    }
    add_initial();
}

void Rules::begin_anew() {
    const Lesson now = lesson();
    if (now.apart == learnt_->apart && now.scripts == learnt_->scripts_at_first) return;
    learnt_ = std::make_unique<Learnt>(algorithm_, bounds_, now.apart, learnt_->server.scripts());
    add_initial();
}

void Rules::add_initial() {
    Environment environment;
    for (const HazardRow& row : kHazards)
        environment.budget.set(row.hazard, bounds_.faults[row.hazard]);
    environment.budget.set_leaves(bounds_.leaves);
    EnvironmentTable& environments = learnt_->environments;
    ClientTable& client_table = learnt_->client_table;
    std::vector<State>& initial = learnt_->initial;
    State calm;
    calm.environment = environments.number_of(environment);
    for (std::uint32_t i = 0; i < nodes_; ++i) {
        ServerState server;
        if (i >= bounds_.servers) server.data = ServerState::kFollows;
        calm.servers[i] = learnt_->servers.number_of(server);
    }
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) calm.clients[i] = client_table.first(i, 0);
    initial.push_back(calm);
    const auto off = static_cast<std::int16_t>(times_.clock);
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        for (std::size_t k = initial.size(); k-- > 0;) {
            Environment spent = environments.at(initial[k].environment);
            if (spent.budget.left(Hazard::clock_offset) == 0) continue;
            spent.budget.spend(Hazard::clock_offset);
            for (const std::int16_t by : {off, static_cast<std::int16_t>(-off)}) {
                State other = initial[k];
                other.environment = environments.number_of(spent);
                other.clients[i] = client_table.first(i, by);
                initial.push_back(other);
            }
        }
    }
}

void Rules::offer(const State& state, std::vector<Step>& steps) {
    steps.clear();
    const bool complete = Expansion(*this, this).offer(state, steps);
    LOCKLAB_ASSERT(complete);
}

void Rules::offer_calm(const State& state, bool early, std::vector<Step>& steps) {
    steps.clear();
    Expansion(*this, this).offer_calm(state, early, steps);
}

State Rules::after(const State& state, const Step& step) {
    State after = state;
    const bool complete = Expansion(*this, this).make(after, step);
    LOCKLAB_ASSERT(complete);
    return after;
}

void Rules::expand(const State& state, Successors& out) {
    const bool complete = Expansion(*this, this).run(state, out);
    LOCKLAB_ASSERT(complete);
}

bool Rules::expand_known(const State& state, Successors& out) const {
    return Expansion(*this, nullptr).run(state, out);
}

void Rules::cover(const State& state, const Step& step, Coverage& coverage) const {
    Expansion(*this, nullptr).cover_step(state, step, coverage);
}

Renaming Rules::reduce(State& state) {
    const std::optional<Renaming> from = Expansion(*this, this).reduce(state);
    LOCKLAB_ASSERT(from);
    return *from;
}

Step Rules::renamed(const State& state, const Step& step, const Renaming& is_now) const {
    Step its = step;
    if (step.kind == Step::Kind::evict) {
        its.ms = key_of_renamed(step.ms, bounds_.keys, bounds_.clients, is_now.clients);
    }
    if (!is_of_client(step.kind)) {
        const bool is_of_server = row_of(step.kind).whose == StepOf::server;
        if (is_of_server) its.slot = is_now.servers[step.slot];
        return its;
    }
    its.client = is_now.clients[step.client];
    const ClientState& client = client_table().state(state.clients[step.client]);
    const bool sends_again =
        step.kind == Step::Kind::expire && client.status[step.slot] == kSilentRetry;
    if (sends_again || is_at_server(step.kind)) {
        const std::uint32_t server = is_now.servers[server_of(step.slot)];
        its.slot = static_cast<std::uint8_t>(slot_of(task_of(step.slot), server));
    }
    return its;
}

bool Rules::is_violated(const State& state) const {
    if (clients().has_fences() && learnt_->environments.tokens(environment(state)).is_broken())
        return true;
    return !inside(state).is_allowed(algorithm_.permits);
}

Crowd Rules::inside(const State& state) const {
    Crowd inside;
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        if (client_table().at(state.clients[i]).inside) inside.add(modes_[i]);
    }
    return inside;
}

bool Rules::is_at_rest(const State& state) const {
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        if (!client_table().at(state.clients[i]).rests) return false;
    }
    for (std::uint32_t i = 0; i < nodes_; ++i) {
        if (server_state(state, i).hung > 0) return false;
    }
    return true;
}

bool Rules::oracle_is_free(const State& state) const {
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        if (client_table().at(state.clients[i]).has_oracle) return false;
    }
    return true;
}

}  // namespace locklab
