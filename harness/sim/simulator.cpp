#include "harness/sim/simulator.h"

#include <algorithm>

#include "harness/core/limits.h"
#include "harness/core/token_text.h"

namespace locklab {

namespace {

/// How long a client needs to learn that its connection is refused or broken, at least.
constexpr Duration kRefusal = std::chrono::milliseconds(1);

}  // namespace

Simulator::Simulator(const SimConfig& config, Choices& choices, ScriptEngine& scripts)
    : config_(config), choices_(choices), scripts_(scripts), state_(scripts) {
    scripts_.forget_not_modelled();
    if (config_.record) state_.server.redis.watch(config_.key.name);
    state_.clients.resize(config_.clients);
    state_.faults = FaultSchedule(config_.plan);
    unfinished_ = config_.clients;
    for (const PlannedFault& fault : config_.plan) {
        keep_snapshots_ = keep_snapshots_ || fault.hazard == Hazard::restart_snapshot;
        if (fault.hazard != Hazard::clock_offset) continue;
        state_.clients[fault.moment.client.value].clock_offset += fault.amount;
        note_fault(fault.moment.client, fault);
    }
    for (std::uint32_t i = 0; i < config_.clients; ++i) {
        machines_.push_back(std::make_unique<Machine>(ClientId{i}, *this));
        locks_.push_back(config_.algorithm->make(*machines_[i], config_.key, config_.options));
    }
    for (std::uint32_t i = 0; i < config_.clients; ++i) {
        machines_[i]->start(work(*machines_[i], *locks_[i], config_.workload));
    }
}

Simulator::~Simulator() = default;

void Simulator::run() {
    while (step()) {
    }
}

bool Simulator::step() {
    if (unfinished_ == 0) return false;
    LOCKLAB_ASSERT(!state_.queue.empty() && "whoever is not finished waits for something");
    if (history_.events.size() > kMostEvents) {
        throw BoundHit("a run has more than " + std::to_string(kMostEvents) +
                       " events; right would be longer waits (--retry, wait_us) or fewer grants");
    }
    const Instant next = state_.queue.next_instant();
    if (next - state_.last_grant > config_.patience) {
        state_.now = std::max(state_.now, state_.last_grant + config_.patience);
        return false;
    }
    const SimEvent event = state_.queue.pop(choices_);
    state_.now = event.at;
    ++state_.steps;
    if (config_.pauses.every > Duration::zero()) pause_regularly();
    switch (event.kind) {
        case SimEvent::Kind::timer: deliver(event, 0, Reply()); break;
        case SimEvent::Kind::request: on_request(event.message); break;
        case SimEvent::Kind::reply: on_told(event, false); break;
        case SimEvent::Kind::give_up: on_told(event, true); break;
        case SimEvent::Kind::resend: on_resend(event); break;
    }
    return true;
}

History Simulator::take_history() {
    history_.world = "sim";
    history_.algorithm = config_.algorithm->name;
    history_.clients = config_.clients;
    history_.key = config_.key.name;
    history_.end = state_.now;
    history_.patience = config_.patience;
    history_.began = kEpoch;
    history_.clock_unit = config_.options.clock_unit;
    history_.tells_within =
        told_within(*config_.algorithm, config_.options, config_.command_timeout);
    history_.not_modelled = scripts_.not_modelled();
    return std::move(history_);
}

void Simulator::on_request(std::uint32_t id) {
    Message& message = state_.messages[id];
    message.arrived = true;
    next_on_connection(message, id);
    const bool refused =
        message.node != kOracle && (message.reset || state_.server.down_until > state_.now);
    if (refused) {
        push_refusal(id);
    } else {
        execute(id);
        push_reply(id);
    }
    free_if_over(id);
}

void Simulator::next_on_connection(Message& message, std::uint32_t id) {
    for (std::uint32_t& last : state_.clients[message.client.value].last_request) {
        if (last == id) last = Message::kNone;
    }
    if (message.behind == Message::kNone) return;
    push(SimEvent::Kind::request, message.behind, std::max(state_.now, message.behind_arrives));
    message.behind = Message::kNone;
}

void Simulator::execute(std::uint32_t id) {
    Message& message = state_.messages[id];
    const Request request{{message.client, channel_of(message.task), message.node},
                          &message.command};
    outbox_.clear();
    if (message.node == kOracle) {
        state_.oracle.on(request, server_time(), outbox_);
    } else {
        state_.server.redis.on(request, server_time(), outbox_);
        keep_snapshot();
    }
    message.reply = outbox_.take_reply();
    if (outbox_.delta()) {
        note(message.client, message.phase,
             event::Executed{message.call, message.node, message.sent, message.command,
                             message.reply, *outbox_.delta()});
    }
    if (outbox_.note()) note(message.client, message.phase, std::move(*outbox_.note()));
}

void Simulator::push_reply(std::uint32_t id) {
    Message& message = state_.messages[id];
    if (message.fate == Message::Fate::given_up) return;
    const Instant arrives = state_.now + config_.latency.draw(choices_) + message.reply_late;
    const Instant patience_ends = message.sent + config_.command_timeout;
    if (message.node == kOracle || arrives <= patience_ends) {
        push(SimEvent::Kind::reply, id, arrives);
    } else {
        message.fate = Message::Fate::given_up;
        push(SimEvent::Kind::give_up, id, std::max(state_.now, patience_ends));
    }
}

void Simulator::push_refusal(std::uint32_t id) {
    Message& message = state_.messages[id];
    if (message.fate == Message::Fate::given_up) return;
    message.reply = Reply::unknown();
    push(SimEvent::Kind::reply, id, state_.now + kRefusal + config_.latency.draw(choices_));
}

void Simulator::on_told(const SimEvent& event, bool gave_up) {
    Message& message = state_.messages[event.message];
    Reply reply = gave_up ? Reply::unknown() : message.reply;
    if (!deliver(event, message.call, std::move(reply))) return;
    state_.messages[event.message].told = true;
    free_if_over(event.message);
}

void Simulator::on_resend(const SimEvent& event) {
    Machine& machine = *machines_[event.client.value];
    const bool waits = machine.waits_for(event.task, event.ticket);
    if (waits && put_off(event)) return;
    state_.messages[event.message].told = true;
    if (waits) {
        Action again;
        again.ticket = event.ticket;
        again.command = state_.messages[event.message].command;
        const std::uint64_t call = state_.messages[event.message].call;
        const std::uint32_t id = new_message(event.client, event.task, again, call);
        enqueue_request(id, state_.now + config_.latency.draw(choices_));
    }
    free_if_over(event.message);
}

bool Simulator::deliver(const SimEvent& event, std::uint64_t call, Reply reply) {
    Machine& machine = *machines_[event.client.value];
    if (!machine.waits_for(event.task, event.ticket)) return true;
    if (put_off(event)) return false;
    const Phase phase = machine.phase_of(event.task);
    const PlannedFault* fault = state_.faults.on_observation(event.client, machine.round(), phase);
    if (fault != nullptr) {
        strike(event.client, *fault);
        if (machine.crashed()) return true;
        if (put_off(event)) return false;
    }
    if (call != 0 && config_.record) note(event.client, phase, event::Replied{call, reply});
    machine.observe(event.task, event.ticket, std::move(reply));
    return true;
}

bool Simulator::put_off(const SimEvent& event) {
    const ClientState& client = state_.clients[event.client.value];
    Instant until = client.paused_until;
    if (!event.task.is_worker()) until = std::max(until, client.stalled_until);
    if (until <= state_.now) return false;
    SimEvent later = event;
    later.at = until;
    state_.queue.push(later);
    return true;
}

WallTime Simulator::now(ClientId client) {
    return kEpoch + state_.now.time_since_epoch() + state_.clients[client.value].clock_offset;
}

WallTime Simulator::server_time() const {
    return kEpoch + state_.now.time_since_epoch() + state_.server.clock_offset;
}

MonotonicTime Simulator::monotonic(ClientId) {
    return MonotonicTime(state_.now.time_since_epoch());
}

Token Simulator::fresh_token(ClientId client) {
    return Token{token_text(TokenStyle::mixed, client.value, ++state_.tokens)};
}

void Simulator::note(ClientId client, Phase phase, EventDetail detail) {
    if (std::holds_alternative<event::Finished>(detail)) --unfinished_;
    if (!config_.record) return;
    history_.events.push_back(Event{state_.now, client, phase, std::move(detail)});
}

std::uint64_t Simulator::next_grant(ClientId) {
    state_.last_grant = state_.now;
    return ++state_.grants;
}

std::optional<Duration> Simulator::slow_job(ClientId client, std::uint32_t round) {
    const auto slow = state_.faults.slow_job(client, round);
    if (slow) note_fault(client, PlannedFault{Hazard::slow_job, {}, *slow});
    return slow;
}

void Simulator::note_fault(ClientId client, const PlannedFault& fault, std::uint64_t call) {
    const Phase phase =
        client.value < machines_.size() ? machines_[client.value]->phase_of(TaskId{}) : Phase::idle;
    note(client, phase, event::Fault{fault.hazard, fault.amount, call});
}

}  // namespace locklab
