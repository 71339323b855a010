#include "harness/explore/expansion.h"

#include <algorithm>

namespace locklab {

namespace {

bool can_act(const ClientPart& part, std::uint8_t slot) {
    return part.paused == 0 && (slot == 0 || part.stalled == 0);
}

}  // namespace

Expansion::Expansion(const Rules& rules, Rules* teacher)
    : rules_(rules),
      clients_(rules.clients_),
      server_(rules.server_),
      times_(rules.times_),
      teacher_(teacher) {}

void Expansion::enter(ClientPart& part, std::uint32_t node, std::uint32_t before) const {
    const LocalState& was = clients_.at(before);
    const LocalState& is = clients_.at(node);
    part.node = node;
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
        const LocalWait& wait = is.waits[slot];
        const bool same = wait.kind != LocalWait::Kind::none && was.waits[slot].kind == wait.kind &&
                          was.waits[slot].ticket == wait.ticket;
        if (same) continue;
        part.status[slot] = kUnsent;
        part.due[slot] = wait.kind == LocalWait::Kind::timer ? wait.sleep_ms : 0;
    }
    if (node != ClientModel::kDone) return;
    const std::uint16_t crashed = part.crashed;
    part = ClientPart();
    part.crashed = crashed;
}

void Expansion::observe(State& state, std::uint8_t client, std::uint8_t slot, std::uint16_t reply,
                        bool slow) {
    ClientPart& part = state.clients[client];
    const std::uint32_t before = part.node;
    Observed what;
    what.slot = slot;
    what.reply = reply;
    what.slow = slow;
    what.clock_ms = static_cast<std::int32_t>(state.now) + part.clock;
    // What the wait was is over, also where the next one looks the same.
    part.status[slot] = kUnsent;
    part.due[slot] = 0;
    if (const auto known = clients_.known(before, what)) {
        enter(part, *known, before);
    } else if (teacher_ != nullptr) {
        enter(part, teacher_->clients_.next(before, what), before);
    } else {
        complete_ = false;
    }
}

std::uint16_t Expansion::execute(State& state, std::uint8_t client, std::uint16_t command,
                                 bool oracle) {
    if (oracle) {
        const bool takes = clients_.command(command)[0] == "TAKE";
        const bool done = takes ? state.oracle == 0 : state.oracle == client + 1;
        if (done) state.oracle = takes ? static_cast<std::uint8_t>(client + 1) : 0;
        return done ? clients_.one() : clients_.zero();
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

bool Expansion::run(const State& state, std::vector<Successor>& out) {
    out.clear();
    const bool must_act = offer_calm(state, out);
    if (!must_act) offer_passing(state, out);
    if (!out.empty()) {
        offer_client_faults(state, out);
        offer_server_faults(state, out);
    }
    return complete_;
}

bool Expansion::offer_calm(const State& state, std::vector<Successor>& out) {
    bool must_act = false;
    for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
        if (state.clients[i].node == ClientModel::kDone) continue;
        for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
            const std::size_t offered = out.size();
            offer_task(state, i, slot, out);
            const bool lazy = clients_.at(state.clients[i].node).waits[slot].lazy;
            must_act = must_act || (out.size() > offered && !lazy);
        }
    }
    const std::size_t before = out.size();
    offer_strays(state, out);
    return must_act || out.size() > before;
}

void Expansion::offer_strays(const State& state, std::vector<Successor>& out) {
    for (std::uint8_t k = 0; k < state.strays.size(); ++k) {
        const Stray& stray = state.strays[k];
        if (stray.slot_plus_1 == 0 || stray.due > 0) continue;
        const std::uint8_t slot = stray.slot_plus_1 - 1;
        Successor next{state, {Step::Kind::arrive, stray.client, slot, false, 0}};
        const std::uint16_t reply = execute(next.state, stray.client, stray.command, false);
        ClientPart& part = next.state.clients[stray.client];
        const LocalWait& wait = clients_.at(part.node).waits[slot];
        const bool waited_for = wait.kind == LocalWait::Kind::redis &&
                                wait.ticket == stray.ticket && part.status[slot] == kSilent;
        if (waited_for) {
            part.status[slot] = static_cast<std::uint16_t>(kReplied + reply);
            part.due[slot] = 0;
        }
        next.state.strays[k] = Stray();
        std::sort(next.state.strays.begin(), next.state.strays.end(),
                  [](const Stray& a, const Stray& b) { return a.slot_plus_1 > b.slot_plus_1; });
        out.push_back(next);
    }
}

void Expansion::offer_task(const State& state, std::uint8_t client, std::uint8_t slot,
                           std::vector<Successor>& out) {
    const ClientPart& part = state.clients[client];
    const LocalWait& wait = clients_.at(part.node).waits[slot];
    if (wait.kind == LocalWait::Kind::none || !can_act(part, slot)) return;
    const std::uint16_t status = part.status[slot];
    if (wait.kind == LocalWait::Kind::timer) {
        if (part.due[slot] > 0 && !wait.lazy) return;
        Successor next{state, {Step::Kind::wake, client, slot, false, 0}};
        observe(next.state, client, slot, 0, false);
        out.push_back(next);
    } else if (status == kUnsent) {
        offer_send(state, client, slot, out);
    } else if (status >= kReplied) {
        const auto reply = static_cast<std::uint16_t>(status - kReplied);
        Successor next{state, {Step::Kind::take, client, slot, false, 0}};
        observe(next.state, client, slot, reply, false);
        out.push_back(next);
        const bool begins_job = clients_.begins_job(next.state.clients[client].node);
        if (state.left(Hazard::slow_job) == 0 || !begins_job) return;
        next = {state, {Step::Kind::take, client, slot, true, 0}};
        next.state.spend(Hazard::slow_job);
        observe(next.state, client, slot, reply, true);
        out.push_back(next);
    } else if (part.due[slot] == 0) {
        Successor next{state, {Step::Kind::expire, client, slot, false, 0}};
        if (status == kSilentRetry) {
            next.state.clients[client].status[slot] = kUnsent;
        } else {
            observe(next.state, client, slot, clients_.unknown(), false);
        }
        out.push_back(next);
    }
}

void Expansion::offer_send(const State& state, std::uint8_t client, std::uint8_t slot,
                           std::vector<Successor>& out) {
    const LocalWait& wait = clients_.at(state.clients[client].node).waits[slot];
    const bool oracle = wait.kind == LocalWait::Kind::arbiter;
    const std::uint16_t timeout = times_.timeout;
    const auto sent = [&](Step::Kind kind, std::uint16_t status) {
        Successor next{state, {kind, client, slot, false, 0}};
        next.state.clients[client].status[slot] = status;
        next.state.clients[client].due[slot] = timeout;
        return next;
    };
    Successor calm{state, {Step::Kind::send, client, slot, false, 0}};
    const std::uint16_t reply = execute(calm.state, client, wait.command, oracle);
    calm.state.clients[client].status[slot] = static_cast<std::uint16_t>(kReplied + reply);
    out.push_back(calm);
    if (oracle) return;
    if (state.left(Hazard::lose_request) > 0) {
        out.push_back(sent(Step::Kind::lose_request, kSilent));
        out.back().state.spend(Hazard::lose_request);
    }
    if (state.left(Hazard::lose_reply) > 0) {
        out.push_back(sent(Step::Kind::lose_reply, kSilent));
        execute(out.back().state, client, wait.command, false);
        out.back().state.spend(Hazard::lose_reply);
    }
    if (state.left(Hazard::retry) > 0) {
        out.push_back(sent(Step::Kind::retry, kSilentRetry));
        execute(out.back().state, client, wait.command, false);
        out.back().state.spend(Hazard::retry);
    }
    if (state.left(Hazard::delay_request) > 0 && state.strays.back().slot_plus_1 == 0) {
        out.push_back(sent(Step::Kind::delay, kSilent));
        State& next = out.back().state;
        next.spend(Hazard::delay_request);
        Stray& stray = next.strays[next.strays[0].slot_plus_1 == 0 ? 0 : 1];
        stray = {wait.command, wait.ticket, times_.delay, client,
                 static_cast<std::uint8_t>(slot + 1)};
    }
}

void Expansion::offer_passing(const State& state, std::vector<Successor>& out) const {
    std::uint16_t least = 0;
    const auto consider = [&](std::uint16_t due) {
        if (due > 0 && (least == 0 || due < least)) least = due;
    };
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        const ClientPart& part = state.clients[i];
        for (const std::uint16_t due : part.due) consider(due);
        consider(part.paused);
        consider(part.stalled);
    }
    for (const Stray& stray : state.strays) consider(stray.due);
    // Who comes when he comes may come just after the key has expired.
    if (state.remaining != ServerData::kNever)
        consider(static_cast<std::uint16_t>(state.remaining + 1));
    if (least == 0) return;
    out.push_back({state, {Step::Kind::pass, 0, 0, false, least}});
    State& next = out.back().state;
    const auto age = [&](std::uint16_t& due) {
        due = due > least ? static_cast<std::uint16_t>(due - least) : 0;
    };
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        ClientPart& part = next.clients[i];
        for (std::uint16_t& due : part.due) age(due);
        age(part.paused);
        age(part.stalled);
    }
    for (Stray& stray : next.strays) age(stray.due);
    if (rules_.tells_time()) next.now += least;
    next.set_server(server_.later(next.server(), least));
}

}  // namespace locklab
