// The calm steps that a state offers, and what each step makes of it.

#include "harness/explore/expansion.h"

#include "harness/explore/step_text.h"
#include "harness/explore/symmetry.h"

namespace locklab {

Expansion::Expansion(const Rules& rules, Rules* teacher)
    : rules_(rules), clients_(rules.clients_), server_(rules.server_), teacher_(teacher) {}

bool Expansion::run(const State& state, Successors& out) {
    out.steps.clear();
    offer(state, out.steps);
    out.states.assign(out.steps.size(), state);
    for (std::size_t i = 0; i < out.size() && complete_; ++i) {
        make(out.states[i], out.steps[i]);
        if (!complete_ || !rules_.bounds().symmetry) continue;
        complete_ = reduce(out.states[i]).has_value();
    }
    return complete_;
}

bool Expansion::offer(const State& state, std::vector<Step>& steps) {
    const bool must_act = offer_calm(state, steps);
    if (!must_act) offer_passing(state, steps);
    if (!steps.empty() && state.budget.any()) {
        offer_client_faults(state, steps);
        offer_server_faults(state, steps);
    }
    return complete_;
}

bool Expansion::offer_calm(const State& state, std::vector<Step>& steps) {
    bool must_act = false;
    const auto clients = static_cast<std::uint8_t>(rules_.bounds().clients);
    for (std::uint8_t i = 0; i < clients; ++i) {
        const PartRow& own = row(state, i);
        for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
            if (own.offer[slot] == Step::Kind::pass) continue;
            offer_task(state, i, slot, steps);
            must_act = must_act || !own.lazy[slot];
        }
    }
    for (std::uint8_t i = 0; i < clients; ++i) {
        const PartRow& own = row(state, i);
        for (std::size_t k = 0; k < own.arrives.size(); ++k) {
            if (!own.arrives[k]) continue;
            const auto slot = static_cast<std::uint8_t>(own.part.strays[k].slot_plus_1 - 1);
            steps.push_back({Step::Kind::arrive, i, slot, false, 0});
            must_act = true;
        }
    }
    return must_act;
}

void Expansion::offer_task(const State& state, std::uint8_t client, std::uint8_t slot,
                           std::vector<Step>& steps) {
    const PartRow& own = row(state, client);
    const Step calm{own.offer[slot], client, slot, false, 0};
    steps.push_back(calm);
    const auto offer_if = [&](bool can, Step::Kind kind) {
        if (can) steps.push_back({kind, client, slot, false, 0});
    };
    const Budgets& budget = state.budget;
    if (calm.kind == Step::Kind::send && !own.to_oracle[slot] && budget.any()) {
        offer_if(budget.left(Hazard::lose_request) > 0, Step::Kind::lose_request);
        offer_if(budget.left(Hazard::lose_reply) > 0, Step::Kind::lose_reply);
        offer_if(budget.left(Hazard::retry) > 0, Step::Kind::retry);
        offer_if(budget.left(Hazard::delay_request) > 0, Step::Kind::delay);
    } else if (calm.kind == Step::Kind::take && budget.left(Hazard::slow_job) > 0) {
        State after = state;
        make(after, calm);
        if (complete_ && row(after, client).begins_job)
            steps.push_back({calm.kind, client, slot, true, 0});
    }
}

void Expansion::offer_passing(const State& state, std::vector<Step>& steps) const {
    std::uint32_t least = 0;
    const auto consider = [&](std::uint32_t due) {
        if (due > 0 && (least == 0 || due < least)) least = due;
    };
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) consider(row(state, i).next_due);
    // Who comes when he comes may come just after the key has expired.
    if (state.remaining != ServerData::kNever) consider(state.remaining + 1U);
    if (least == 0) return;
    steps.push_back({Step::Kind::pass, 0, 0, false, static_cast<std::uint16_t>(least)});
}

bool Expansion::make(State& state, const Step& step) {
    const Change change_of{step.kind, step.slot, step.slow, 0};
    switch (step.kind) {
        using enum Step::Kind;
        case send:
        case lose_request:
        case lose_reply:
        case delay:
        case retry: send_command(state, step); break;
        case take:
            if (step.slow) state.budget.spend(Hazard::slow_job);
            change(state, step.client, change_of);
            break;
        case wake:
        case expire: change(state, step.client, change_of); break;
        case arrive: arrive_late(state, step); break;
        case pass:
            change_all(state, {step.kind, 0, false, step.ms});
            if (rules_.tells_time()) state.now += step.ms;
            state.set_server(server_.later(state.server(), step.ms));
            break;
        default: strike(state, step);
    }
    return complete_;
}

void Expansion::send_command(State& state, const Step& step) {
    const PartRow& own = row(state, step.client);
    const std::uint16_t command = clients_.at(own.part.node).waits[step.slot].command;
    const bool arrives = step.kind != Step::Kind::lose_request && step.kind != Step::Kind::delay;
    Change sent{step.kind, step.slot, false, 0};
    if (step.kind != Step::Kind::send) state.budget.spend(*hazard_of(step));
    if (arrives) {
        const std::uint16_t reply = execute(state, step.client, command, own.to_oracle[step.slot]);
        if (step.kind == Step::Kind::send) sent.value = reply;
    }
    change(state, step.client, sent);
}

void Expansion::arrive_late(State& state, const Step& step) {
    const ClientPart& part = row(state, step.client).part;
    for (const Stray& stray : part.strays) {
        if (stray.slot_plus_1 != step.slot + 1 || stray.due > 0) continue;
        const std::uint16_t reply = execute(state, step.client, stray.command, false);
        change(state, step.client, {step.kind, step.slot, false, reply});
        return;
    }
    LOCKLAB_ASSERT(!"a late request that is not there");
}

std::uint16_t Expansion::execute(State& state, std::uint8_t client, std::uint16_t command,
                                 bool oracle) {
    if (oracle) {
        const bool takes = clients_.command(command)[0] == "TAKE";
        const bool own = row(state, client).part.has_oracle != 0;
        return (takes ? rules_.oracle_is_free(state) : own) ? clients_.one() : clients_.zero();
    }
    std::optional<ServerModel::Result> result = server_.known(state.server(), command, client);
    if (!result && teacher_ != nullptr) {
        result = teacher_->server_.execute(state.server(), command, client);
    }
    if (!result) {
        complete_ = false;
        return 0;
    }
    state.set_server(result->data);
    return result->reply;
}

void Expansion::change(State& state, std::uint32_t client, const Change& change) {
    if (!complete_) return;
    std::uint32_t& part = state.clients[client];
    if (teacher_ != nullptr) {
        part = teacher_->parts_.next(part, change, state.now);
    } else if (const auto known = rules_.parts_.known(part, change, state.now)) {
        part = *known;
    } else {
        complete_ = false;
    }
}

void Expansion::change_all(State& state, const Change& to) {
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        if (state.clients[i] != PartTable::kDone) change(state, i, to);
    }
}

std::optional<Permutation> Expansion::reduce(State& state) {
    const std::uint32_t clients = rules_.bounds().clients;
    if (clients_.any_names_others()) {
        for (std::uint32_t i = 0; i < clients; ++i) {
            if (row(state, i).names_others) return kIdentity;
        }
    }
    return locklab::reduce(
        state, clients, server_, [this](std::uint16_t shape, const Permutation& from) {
            return teacher_ == nullptr ? server_.known_renamed(shape, from)
                                       : std::optional(teacher_->server_.renamed(shape, from));
        });
}

}  // namespace locklab
