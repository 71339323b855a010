// The simulator's network: how a command leaves its client, and what faults do to it there.

#include <algorithm>

#include "harness/sim/simulator.h"

namespace locklab {

void Simulator::act(ClientId client, TaskId task, Action& action) {
    if (action.kind == Action::Kind::command) {
        send(client, task, action);
        return;
    }
    SimEvent timer;
    timer.at = state_.now + action.sleep;
    timer.client = client;
    timer.task = task;
    timer.ticket = action.ticket;
    state_.queue.push(timer);
}

void Simulator::send(ClientId client, TaskId task, Action& action) {
    const std::uint32_t id = new_message(client, task, action);
    Message& message = state_.messages[id];
    Instant arrives = state_.now + config_.latency.draw(choices_);
    if (message.node == kOracle) {
        push(SimEvent::Kind::request, id, arrives);
        return;
    }
    const std::uint32_t round = machines_[client.value]->round();
    if (const PlannedFault* fault = state_.faults.on_send(client, round, message.phase)) {
        note_fault(client, *fault, message.call);
        arrives = strike_message(id, *fault, arrives);
        if (message.arrived) return;
    }
    enqueue_request(id, arrives);
}

Instant Simulator::strike_message(std::uint32_t id, const PlannedFault& fault, Instant arrives) {
    Message& message = state_.messages[id];
    const Instant patience_ends = message.sent + config_.command_timeout;
    if (fault.hazard == Hazard::delay_request) return arrives + fault.amount;
    if (fault.hazard == Hazard::delay_reply) {
        message.reply_late = fault.amount;
        return arrives;
    }
    message.fate = Message::Fate::given_up;
    message.arrived = fault.hazard == Hazard::lose_request;
    const bool resend = fault.hazard == Hazard::retry;
    push(resend ? SimEvent::Kind::resend : SimEvent::Kind::give_up, id, patience_ends);
    return arrives;
}

std::uint32_t Simulator::new_message(ClientId client, TaskId task, Action& action,
                                     std::uint64_t again) {
    if (state_.free_messages.empty()) {
        state_.free_messages.push_back(static_cast<std::uint32_t>(state_.messages.size()));
        state_.messages.emplace_back();
    }
    const std::uint32_t id = state_.free_messages.back();
    state_.free_messages.pop_back();
    Message& message = state_.messages[id];
    message.client = client;
    message.task = task;
    message.phase = machines_[client.value]->phase_of(task);
    message.ticket = action.ticket;
    message.node = action.node;
    message.sent = state_.now;
    message.command = std::move(action.command);
    message.fate = Message::Fate::answered;
    message.reply_late = Duration::zero();
    message.in_flight = true;
    message.reset = message.arrived = message.told = false;
    message.call = again;
    if (message.node == kOracle || again != 0) return id;
    message.call = ++state_.calls;
    if (config_.record) {
        note(client, message.phase, event::Sent{message.call, message.node, message.command});
    }
    return id;
}

void Simulator::free_if_over(std::uint32_t id) {
    Message& message = state_.messages[id];
    if (!message.arrived || !message.told) return;
    message.in_flight = false;
    state_.free_messages.push_back(id);
}

void Simulator::enqueue_request(std::uint32_t id, Instant at) {
    Message& message = state_.messages[id];
    const Instant patience_ends = message.sent + config_.command_timeout;
    if (message.fate == Message::Fate::answered && at >= patience_ends) {
        message.fate = Message::Fate::given_up;
        push(SimEvent::Kind::give_up, id, patience_ends);
    }
    const auto channel = static_cast<std::size_t>(channel_of(message.task));
    std::uint32_t& last = state_.clients[message.client.value].last_request[channel];
    // Who gives up on a command closes the connection, so nothing waits behind that command.
    const bool waits_behind =
        last != Message::kNone && state_.messages[last].fate == Message::Fate::answered;
    if (waits_behind) {
        state_.messages[last].behind = id;
        state_.messages[last].behind_arrives = at;
    } else {
        push(SimEvent::Kind::request, id, at);
    }
    last = id;
}

void Simulator::push(SimEvent::Kind kind, std::uint32_t id, Instant at) {
    const Message& message = state_.messages[id];
    SimEvent event;
    event.at = at;
    event.kind = kind;
    event.client = message.client;
    event.task = message.task;
    event.ticket = message.ticket;
    event.message = id;
    state_.queue.push(event);
}

}  // namespace locklab
