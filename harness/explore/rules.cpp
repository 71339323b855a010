#include "harness/explore/rules.h"

#include <algorithm>

namespace locklab {

namespace {

std::uint16_t ms_of(Duration duration) {
    const std::int64_t ms = duration / std::chrono::milliseconds(1);
    LOCKLAB_ASSERT(ms >= 0 && ms < 60'000);
    return static_cast<std::uint16_t>(ms);
}

/// Restarted, the server tells nobody what became of a command.
void forget_replies(ClientPart& part, std::uint16_t unknown) {
    for (std::uint16_t& status : part.status) {
        if (status != kUnsent) status = static_cast<std::uint16_t>(kReplied + unknown);
    }
}

}  // namespace

Rules::Rules(const Algorithm& algorithm, const Bounds& bounds)
    : bounds_(bounds), clients_(algorithm, bounds_), server_(clients_) {}

std::vector<Successor> Rules::initial() {
    std::vector<Successor> all(1);
    State& calm = all[0].state;
    for (const HazardRow& row : kHazards) {
        calm.budget[static_cast<std::size_t>(row.hazard)] =
            static_cast<std::uint8_t>(bounds_.faults[row.hazard]);
    }
    const auto off = static_cast<std::int16_t>(ms_of(bounds_.clock));
    for (std::uint8_t i = 0; i < bounds_.clients; ++i) {
        for (std::size_t k = all.size(); k-- > 0;) {
            for (const std::int16_t by : {off, static_cast<std::int16_t>(-off)}) {
                if (!may(all[k].state, Hazard::clock_offset)) continue;
                Successor other = all[k];
                other.state.clients[i].clock = by;
                spend(other.state, Hazard::clock_offset);
                all.push_back(other);
            }
        }
    }
    for (Successor& start : all) {
        for (std::uint8_t i = 0; i < bounds_.clients; ++i) {
            ClientPart& part = start.state.clients[i];
            part.node = ClientModel::kFirst;
        }
    }
    return all;
}

void Rules::enter(ClientPart& part, std::uint32_t node, std::uint32_t before) {
    const LocalState& was = clients_.at(before);
    const LocalState& is = clients_.at(node);
    part.node = node;
    for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
        const LocalWait& wait = is.waits[slot];
        const bool same = wait.kind != LocalWait::Kind::none &&
                          was.waits[slot].kind == wait.kind &&
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

Observed Rules::observed(const State& state, std::uint8_t client, std::uint8_t slot,
                         std::uint16_t reply) const {
    Observed observed;
    observed.slot = slot;
    observed.reply = reply;
    observed.clock_ms =
        static_cast<std::int32_t>(state.now) + state.clients[client].clock;
    return observed;
}

void Rules::observe(State& state, std::uint8_t client, std::uint8_t slot, std::uint16_t reply,
                    bool slow) {
    ClientPart& part = state.clients[client];
    const std::uint32_t before = part.node;
    Observed what = observed(state, client, slot, reply);
    what.slow = slow;
    // What the wait was is over, also where the next one has the same ticket by chance.
    part.status[slot] = kUnsent;
    part.due[slot] = 0;
    enter(part, clients_.next(before, what), before);
}

std::uint16_t Rules::execute(State& state, std::uint8_t client, std::uint16_t command,
                             bool oracle) {
    if (oracle) {
        const bool takes = clients_.command(command)[0] == "TAKE";
        const bool done = takes ? state.oracle == 0 : state.oracle == client + 1;
        if (done) state.oracle = takes ? static_cast<std::uint8_t>(client + 1) : 0;
        return clients_.number_of(Reply::integer(done ? 1 : 0));
    }
    const ServerModel::Result result =
        server_.execute({state.shape, state.remaining}, command, client);
    state.shape = result.data.shape;
    state.remaining = result.data.remaining_ms;
    return result.reply;
}

void Rules::expand(const State& state, std::vector<Successor>& out) {
    out.clear();
    const bool must_act = offer_calm(state, out);
    if (!must_act) offer_passing(state, out);
    if (out.empty()) return;
    offer_client_faults(state, out);
    offer_server_faults(state, out);
}

bool Rules::offer_calm(const State& state, std::vector<Successor>& out) {
    bool must_act = false;
    for (std::uint8_t i = 0; i < bounds_.clients; ++i) {
        if (state.clients[i].node == ClientModel::kDone) continue;
        for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
            const std::size_t before = out.size();
            offer_task(state, i, slot, out);
            const bool lazy = clients_.at(state.clients[i].node).waits[slot].lazy;
            must_act = must_act || (out.size() > before && !lazy);
        }
    }
    for (std::uint8_t k = 0; k < state.strays.size(); ++k) {
        const Stray& stray = state.strays[k];
        if (stray.slot_plus_1 == 0 || stray.due > 0) continue;
        must_act = true;
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
    return must_act;
}

void Rules::offer_task(const State& state, std::uint8_t client, std::uint8_t slot,
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
        const bool slow = may(state, Hazard::slow_job) &&
                          clients_.may_be_slow(part.node, observed(state, client, slot, reply));
        if (!slow) return;
        next = {state, {Step::Kind::take, client, slot, true, 0}};
        spend(next.state, Hazard::slow_job);
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

void Rules::offer_send(const State& state, std::uint8_t client, std::uint8_t slot,
                       std::vector<Successor>& out) {
    const LocalWait& wait = clients_.at(state.clients[client].node).waits[slot];
    const bool oracle = wait.kind == LocalWait::Kind::arbiter;
    const std::uint16_t timeout = ms_of(bounds_.command_timeout);
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
    if (may(state, Hazard::lose_request)) {
        out.push_back(sent(Step::Kind::lose_request, kSilent));
        spend(out.back().state, Hazard::lose_request);
    }
    if (may(state, Hazard::lose_reply)) {
        out.push_back(sent(Step::Kind::lose_reply, kSilent));
        execute(out.back().state, client, wait.command, false);
        spend(out.back().state, Hazard::lose_reply);
    }
    if (may(state, Hazard::retry)) {
        out.push_back(sent(Step::Kind::retry, kSilentRetry));
        execute(out.back().state, client, wait.command, false);
        spend(out.back().state, Hazard::retry);
    }
    if (may(state, Hazard::delay_request) && state.strays.back().slot_plus_1 == 0) {
        out.push_back(sent(Step::Kind::delay, kSilent));
        State& next = out.back().state;
        spend(next, Hazard::delay_request);
        Stray& stray = next.strays[next.strays[0].slot_plus_1 == 0 ? 0 : 1];
        stray = {wait.command, wait.ticket, ms_of(bounds_.delay), client,
                 static_cast<std::uint8_t>(slot + 1)};
    }
}

void Rules::offer_passing(const State& state, std::vector<Successor>& out) const {
    std::uint16_t least = 0;
    const auto consider = [&](std::uint16_t due) {
        if (due > 0 && (least == 0 || due < least)) least = due;
    };
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        const ClientPart& part = state.clients[i];
        for (const std::uint16_t due : part.due) consider(due);
        consider(part.paused);
        consider(part.stalled);
    }
    for (const Stray& stray : state.strays) consider(stray.due);
    // Who comes when he comes may come just after the key has expired.
    if (state.remaining != State::kNever) consider(static_cast<std::uint16_t>(state.remaining + 1));
    if (least == 0) return;
    out.push_back({state, {Step::Kind::pass, 0, 0, false, least}});
    State& next = out.back().state;
    const auto age = [&](std::uint16_t& due) {
        due = due > least ? static_cast<std::uint16_t>(due - least) : 0;
    };
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        ClientPart& part = next.clients[i];
        for (std::uint16_t& due : part.due) age(due);
        age(part.paused);
        age(part.stalled);
    }
    for (Stray& stray : next.strays) age(stray.due);
    if (tells_time()) next.now += least;
    if (next.remaining == State::kNever) return;
    // Redis lets a key expire strictly after its deadline.
    if (next.remaining >= least) {
        next.remaining = static_cast<std::uint16_t>(next.remaining - least);
    } else {
        const ServerData gone = server_.evict({next.shape, next.remaining});
        next.shape = gone.shape;
        next.remaining = gone.remaining_ms;
    }
}

void Rules::offer_client_faults(const State& state, std::vector<Successor>& out) {
    for (std::uint8_t i = 0; i < bounds_.clients; ++i) {
        const ClientPart& part = state.clients[i];
        if (part.node == ClientModel::kDone) continue;
        const auto struck = [&](Step::Kind kind, Hazard hazard) -> ClientPart& {
            out.push_back({state, {kind, i, 0, false, 0}});
            spend(out.back().state, hazard);
            return out.back().state.clients[i];
        };
        if (may(state, Hazard::crash)) {
            struck(Step::Kind::crash, Hazard::crash) = ClientPart();
            State& next = out.back().state;
            next.clients[i].crashed = 1;
            if (next.oracle == i + 1) next.oracle = 0;
        }
        if (may(state, Hazard::pause) && part.paused == 0) {
            struck(Step::Kind::pause, Hazard::pause).paused = ms_of(bounds_.pause);
        }
        const bool has_background = clients_.at(part.node).waits[1].kind != LocalWait::Kind::none;
        if (may(state, Hazard::stall) && part.stalled == 0 && has_background) {
            struck(Step::Kind::stall, Hazard::stall).stalled = ms_of(bounds_.pause);
        }
        if (may(state, Hazard::clock_jump)) {
            const auto by = static_cast<std::int16_t>(ms_of(bounds_.clock));
            struck(Step::Kind::clock_ahead, Hazard::clock_jump).clock += by;
            struck(Step::Kind::clock_back, Hazard::clock_jump).clock -= by;
        }
    }
}

void Rules::offer_server_faults(const State& state, std::vector<Successor>& out) {
    const auto struck = [&](Step::Kind kind, Hazard hazard) -> State& {
        out.push_back({state, {kind, 0, 0, false, 0}});
        spend(out.back().state, hazard);
        return out.back().state;
    };
    if (may(state, Hazard::restart)) {
        State& next = struck(Step::Kind::restart, Hazard::restart);
        next.shape = 0;
        next.remaining = State::kNever;
        next.strays = {};
        for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
            forget_replies(next.clients[i], clients_.unknown());
        }
    }
    const ServerData data{state.shape, state.remaining};
    if (may(state, Hazard::evict) && !(server_.evict(data) == data)) {
        State& next = struck(Step::Kind::evict, Hazard::evict);
        const ServerData gone = server_.evict(data);
        next.shape = gone.shape;
        next.remaining = gone.remaining_ms;
    }
    if (may(state, Hazard::server_clock_jump) && state.remaining != State::kNever) {
        const std::uint16_t by = ms_of(bounds_.clock);
        State& ahead = struck(Step::Kind::server_ahead, Hazard::server_clock_jump);
        if (ahead.remaining >= by) {
            ahead.remaining = static_cast<std::uint16_t>(ahead.remaining - by);
        } else {
            const ServerData gone = server_.evict(data);
            ahead.shape = gone.shape;
            ahead.remaining = gone.remaining_ms;
        }
        struck(Step::Kind::server_back, Hazard::server_clock_jump).remaining += by;
    }
}

bool Rules::is_violated(const State& state) const {
    std::uint32_t inside = 0;
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        inside += clients_.at(state.clients[i].node).inside ? 1 : 0;
    }
    return inside > 1;
}

bool Rules::is_over(const State& state) const {
    return std::all_of(state.clients.begin(), state.clients.begin() + bounds_.clients,
                       [](const ClientPart& part) { return part.node == ClientModel::kDone; });
}

}  // namespace locklab
