// The fault-free steps that a state offers, and what each step does to it.

#include "harness/explore/expansion.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

Expansion::Expansion(const Rules& rules, Rules* teacher)
    : rules_(rules),
      clients_(rules.learnt_->clients),
      client_table_(rules.learnt_->client_table),
      environments_(rules.learnt_->environments),
      servers_(rules.learnt_->servers),
      server_(rules.learnt_->server),
      teacher_(teacher != nullptr ? teacher->learnt_.get() : nullptr) {}

bool Expansion::run(const State& state, Successors& out) {
    out.steps.clear();
    offer(state, out.steps);
    cover(state, out);
    out.states.assign(out.steps.size(), state);
    out.refusals.clear();
    const bool is_own = servers(state)[0].data.shape != 0;
    for (std::size_t i = 0; i < out.size() && complete_; ++i) {
        make(out.states[i], out.steps[i]);
        if (complete_ && out.asks_refusals && should_be_granted(state, out.steps[i])) {
            follow_try(out.states[i], out.steps[i], is_own, out);
        }
        if (!complete_ || !rules_.reduces()) continue;
        complete_ = reduce(out.states[i]).has_value();
    }
    return complete_;
}

bool Expansion::offer(const State& state, std::vector<Step>& steps) {
    offer_calm(state, rules_.bounds().any_length, steps);
    calm_ = steps.size();
    if (steps.empty() || !environments_.at(state.environment).budget.any()) return true;
    const auto serves = [](const ServerState& server) { return server.serves_queue(); };
    if (may_hang_ && std::ranges::any_of(servers(state), serves)) return true;
    offer_leaves(state, steps);
    calm_ = steps.size();
    offer_slow_jobs(state, steps);
    offer_message_faults(state, steps);
    offer_client_faults(state, steps);
    offer_server_faults(state, steps);
    return complete_;
}

void Expansion::offer_calm(const State& state, bool early, std::vector<Step>& steps) const {
    if (may_hang_ && offer_queues(state, steps)) return;
    bool must_act = false;
    bool has_late = false;
    const auto clients = static_cast<std::uint8_t>(rules_.bounds().clients);
    for (std::uint8_t i = 0; i < clients; ++i) {
        const ClientRow& own = row(state, i);
        has_late = has_late || own.has_late;
        must_act = must_act || own.must_act != 0 || own.late_is_due;
        for (std::uint8_t task = 0; task < kTasks; ++task) {
            if (own.offer[task] == Step::Kind::pass || (!early && own.is_early(task))) continue;
            steps.push_back({own.offer[task], i, task, false, 0});
        }
        for (std::uint8_t slot = kTasks; slot < client_table_.slots(); ++slot) {
            const Step::Kind kind = offered(state, i, slot);
            if (kind != Step::Kind::pass) steps.push_back({kind, i, slot, false, 0});
        }
        if (own.can_learn && has_new_master(state)) {
            steps.push_back({Step::Kind::learn, i, 0, false, 0});
        }
        if (early && own.paused) steps.push_back({Step::Kind::resume, i, 0, false, 0});
        if (early && own.stalled) steps.push_back({Step::Kind::resume, i, 1, false, 0});
        for (std::uint8_t at = 0; early && own.cut && at < rules_.nodes(); ++at) {
            const auto slot = static_cast<std::uint8_t>(slot_of(0, at));
            if (is_cut(state, i, slot)) steps.push_back({Step::Kind::heal, i, slot, false, 0});
        }
    }
    for (std::uint8_t i = 0; early && i < rules_.nodes(); ++i) {
        if (servers(state)[i].down > 0) steps.push_back({Step::Kind::back, 0, i, false, 0});
        if (servers(state)[i].hung > 0) steps.push_back({Step::Kind::thaw, 0, i, false, 0});
    }
    if (has_late) offer_late(state, early, steps);
    if (!must_act) offer_passing(state, steps);
}

/// Requests that waited for servers run before anything else happens, one after the other.
bool Expansion::offer_queues(const State& state, std::vector<Step>& steps) const {
    for (std::uint8_t i = 0; i < rules_.nodes(); ++i) {
        const ServerState& server = servers(state)[i];
        if (!server.serves_queue()) continue;
        const auto client = static_cast<std::uint8_t>(server.first_in_queue());
        const ClientState& own = client_state(state, client);
        const std::uint32_t first = first_in_queue(own, i);
        LOCKLAB_ASSERT(first < ClientState::kMostLate);
        const auto slot = static_cast<std::uint8_t>(own.late[first].slot_plus_1 - 1);
        steps.push_back({Step::Kind::arrive, client, slot, false, 0});
    }
    return !steps.empty();
}

void Expansion::offer_late(const State& state, bool early, std::vector<Step>& steps) const {
    for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
        if (!row(state, i).has_late) continue;
        const ClientState& own = client_state(state, i);
        for (std::uint8_t slot = 0; slot < client_table_.slots(); ++slot) {
            const std::uint32_t first = first_late(own, slot);
            if (first == ClientState::kMostLate) continue;
            if (!early && own.late[first].due > 0) continue;
            steps.push_back({Step::Kind::arrive, i, slot, false, 0});
        }
    }
}

void Expansion::offer_passing(const State& state, std::vector<Step>& steps) const {
    std::uint32_t least = 0;
    const auto consider = [&](std::uint32_t due) {
        if (due > 0 && (least == 0 || due < least)) least = due;
    };
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) consider(row(state, i).next_due);
    // A timer that fires at any time may fire just after a key has expired.
    for (const ServerState& server : servers(state)) {
        consider(server.down);
        consider(server.hung);
        const std::uint16_t left =
            std::min(server.data.remaining_ms, server_.first_of_others(server.data));
        if (left != ServerData::kNever) consider(left + 1U);
    }
    if (least == 0) return;
    steps.push_back({Step::Kind::pass, 0, 0, false, static_cast<std::uint16_t>(least)});
}

/// A client may leave only if what it leaves behind expires: else the lock stays taken for ever.
void Expansion::offer_leaves(const State& state, std::vector<Step>& steps) const {
    const Environment& environment = environments_.at(state.environment);
    const bool runs_out = rules_.bounds().options.ttl != Duration::zero() || has_ttl(state);
    if (environment.budget.leaves() == 0 || !runs_out) return;
    for (std::uint8_t i = 0; i < rules_.bounds().clients; ++i) {
        if (row(state, i).leaves) steps.push_back({Step::Kind::leave, i, 0, false, 0});
    }
}

bool Expansion::make(State& state, const Step& step) {
    switch (step.kind) {
        using enum Step::Kind;
        case send:
        case lose_request:
        case lose_reply:
        case delay:
        case delay_reply:
        case retry:
        case error:
        case noscript:
        case reset_request:
        case reset_reply:
        case cut_request:
        case cut_reply: send_command(state, step); break;
        case take:
            if (step.slow) spend(state, Hazard::slow_job);
            change(state, step.client, {step.kind, step.slot, step.slow, 0});
            break;
        case expire: {
            const std::uint16_t left = leave_connections(state, step);
            change(state, step.client, {step.kind, step.slot, false, left});
            break;
        }
        case wake:
        case resume:
        case heal:
        case learn: change(state, step.client, {step.kind, step.slot, false, 0}); break;
        case arrive: arrive_late(state, step); break;
        case leave: {
            Environment environment = environments_.at(state.environment);
            environment.budget.spend_leave();
            set(state, environment);
            const std::uint16_t left = leave_connections(state, step);
            change(state, step.client, {step.kind, 0, false, left});
            break;
        }
        case pass: let_pass(state, step.ms); break;
        default: strike(state, step);
    }
    return complete_;
}

void Expansion::send_command(State& state, const Step& step) {
    const ClientRow& own = row(state, step.client);
    const bool to_redis = !own.is_to_oracle(task_of(step.slot));
    const bool is_lost = to_redis && is_cut(state, step.client, step.slot);
    const bool is_calm = step.kind == Step::Kind::send && to_redis && !is_lost;
    const bool takes_time = is_calm && rules_.bounds().latency > Duration::zero();
    const bool waits = is_calm && !takes_time && hangs(state, step.slot);
    const bool never_runs = error_of(step.kind) || is_lost || loses_request(step.kind) ||
                            step.kind == Step::Kind::reset_request;
    const bool arrives = !never_runs && step.kind != Step::Kind::delay && !takes_time && !waits;
    Change sent{step.kind, step.slot, waits, 0};
    if (is_told_at_once(hazard_of(step.kind))) sent.value = clients_.unknown();
    if (const auto error = error_of(step.kind)) sent.value = clients_.error(*error);
    if (waits) join_queue(state, step.client, server_of(step.slot));
    if (step.kind != Step::Kind::send) spend(state, *hazard_of(step));
    if (arrives) {
        const std::uint32_t task = task_of(step.slot);
        const bool tries = task == 0 && own.phase[0] == Phase::acquire;
        const std::uint16_t command = own.command[task];
        const std::uint32_t over = task == 0 ? connection::kPresent : connection::kBackground;
        const Answer answer = own.is_to_oracle(task) ? ask_oracle(state, step.client, command)
                                                     : execute(state, step.client, command,
                                                               server_of(step.slot), over);
        const bool told = step.kind == Step::Kind::send || step.kind == Step::Kind::delay_reply;
        if (told) sent.value = answer.reply;
        if (answer.takes && tries && rules_.orders_tokens()) {
            TokenOrder tokens = environments_.tokens(environments_.at(state.environment));
            tokens.takes(step.client);
            set(state, tokens);
        }
    }
    const bool is_reset = is_told_at_once(hazard_of(step.kind)) && !error_of(step.kind);
    if (is_reset && task_of(step.slot) == 0) {
        leave(state, server_of(step.slot), step.client, connection::kPresent, 0);
    }
    change(state, step.client, sent);
}

void Expansion::arrive_late(State& state, const Step& step) {
    const std::uint32_t at = server_of(step.slot);
    if (hangs(state, step.slot)) {
        join_queue(state, step.client, at);
        return change(state, step.client, {step.kind, step.slot, true, 0});
    }
    const bool from_queue = may_hang_ && servers(state)[at].serves_queue();
    const ClientState& own = client_state(state, step.client);
    const std::uint32_t first = from_queue ? first_in_queue(own, at) : first_late(own, step.slot);
    LOCKLAB_ASSERT(first < ClientState::kMostLate);
    const LateRequest& late = own.late[first];
    const std::uint16_t command = late.command;
    const LocalWait& wait = clients_.at(own.node).waits[0];
    const std::uint32_t over = task_of(step.slot) != 0          ? connection::kBackground
                               : late.left != 0                 ? late.left
                               : is_waited_for(own, wait, late) ? connection::kPresent
                                                                : connection::kLeft;
    const bool closes = late.left != 0;
    if (from_queue) {
        ServerState server = servers_.at(state.servers[at]);
        server.leave_queue();
        set(state, at, server);
    }
    const std::uint16_t reply = execute(state, step.client, command, at, over).reply;
    if (closes) leave(state, at, step.client, over, 0);
    change(state, step.client, {step.kind, step.slot, false, reply});
}

void Expansion::join_queue(State& state, std::uint32_t client, std::uint32_t at) {
    ServerState server = servers_.at(state.servers[at]);
    server.join_queue(client);
    set(state, at, server);
}

void Expansion::let_pass(State& state, std::uint16_t ms) {
    for (std::uint32_t i = 0; i < rules_.bounds().clients; ++i) {
        if (row(state, i).next_due > 0) change(state, i, {Step::Kind::pass, 0, false, ms});
    }
    if (rules_.tells_time()) {
        Environment environment = environments_.at(state.environment);
        environment.now += ms;
        set(state, environment);
    }
    for (std::uint32_t i = 0; i < rules_.nodes(); ++i) {
        ServerState server = servers_.at(state.servers[i]);
        shift(server, ms);
        server.down = server.down > ms ? static_cast<std::uint16_t>(server.down - ms) : 0;
        server.hung = server.hung > ms ? static_cast<std::uint16_t>(server.hung - ms) : 0;
        set(state, i, server);
    }
}

void Expansion::shift(ServerData& data, std::int32_t ms) {
    const std::optional<ServerData> shifted =
        teacher_ == nullptr ? server_.known_shifted(data, ms)
                            : std::optional(teacher_->server.shifted(data, ms));
    complete_ = complete_ && shifted.has_value();
    if (shifted) data = *shifted;
}

/// Data saved by the server ends by the same clock.
void Expansion::shift(ServerState& server, std::int32_t ms) {
    shift(server.data, ms);
    if (server.has_saved()) shift(server.saved, ms);
}

}  // namespace locklab
