// How a command leaves its client, is executed, and is answered.

#include <algorithm>

#include "harness/cluster/cluster.h"

namespace locklab {

namespace {

/// How long a client needs to learn that its connection is refused or broken, at least.
constexpr Duration kRefusal = std::chrono::milliseconds(1);

}  // namespace

std::uint32_t& Cluster::last_sent(const Route& route) {
    const std::size_t nodes = config_.topology.nodes.size();
    const std::size_t at = route.client.value * nodes + config_.topology.index(route.node);
    return value_.last_sent[at][static_cast<std::size_t>(route.channel)];
}

Move Cluster::move_of(MoveKind kind, std::uint32_t id) const {
    const Message& message = value_.messages[id];
    return {kind, message.route.client, message.task, message.ticket, id};
}

void Cluster::act(ClientId client, TaskId task, Action& action) {
    if (action.kind == Action::Kind::sleep) {
        const Instant at = value_.now + action.sleep;
        agenda_.armed({MoveKind::fire, client, task, action.ticket, 0}, {at, at});
        return;
    }
    const std::uint32_t id = new_message(client, task, action.ticket, action.node);
    Message& message = value_.messages[id];
    message.command = std::move(action.command);
    if (!node(message.route.node).is_oracle()) {
        message.call = ++value_.calls;
        if (config_.record) {
            note(client, message.phase, event::Sent{message.call, action.node, message.command});
        }
    }
    send(id);
}

std::uint32_t Cluster::new_message(ClientId client, TaskId task, std::uint32_t ticket,
                                   NodeId node) {
    if (value_.free_messages.empty()) {
        value_.free_messages.push_back(static_cast<std::uint32_t>(value_.messages.size()));
        value_.messages.emplace_back();
    }
    const std::uint32_t id = value_.free_messages.back();
    value_.free_messages.pop_back();
    Message& message = value_.messages[id];
    message.route = {client, channel_of(task), node};
    message.task = task;
    message.phase = machines_[client.value]->phase_of(task);
    message.ticket = ticket;
    message.call = 0;
    message.sent = value_.now;
    message.reply_late = Duration::zero();
    message.in_flight = true;
    message.unanswered = message.resend = message.resent = false;
    message.reset = message.arrived = message.told = false;
    return id;
}

void Cluster::send(std::uint32_t id) {
    agenda_.leaves(id);
    Message& message = value_.messages[id];
    if (!node(message.route.node).is_oracle()) {
        const Instant ends = patience_ends(message);
        agenda_.armed(move_of(MoveKind::expire, id), {ends, ends});
        if (message.arrived) return;
        const std::uint32_t last = std::exchange(last_sent(message.route), id);
        // Who gives up on a command closes the connection, so nothing waits behind that command.
        if (last != Message::kNone && !value_.messages[last].unanswered) {
            value_.messages[last].behind = id;
            return;
        }
    }
    agenda_.armed(move_of(MoveKind::arrive, id), {value_.now});
}

void Cluster::befall(std::uint32_t id, const PlannedFault& fault) {
    Message& message = value_.messages[id];
    note_fault(message.route.client, fault, message.call);
    switch (fault.hazard) {
        case Hazard::delay_request: message.arrives += fault.amount; return;
        case Hazard::delay_reply: message.reply_late = fault.amount; return;
        case Hazard::lose_request: message.arrived = true; break;
        case Hazard::retry: message.resend = true; break;
        default: LOCKLAB_ASSERT(fault.hazard == Hazard::lose_reply);
    }
    message.unanswered = true;
}

void Cluster::arrive(std::uint32_t id) {
    Message& message = value_.messages[id];
    Node& node = this->node(message.route.node);
    message.arrived = true;
    if (!node.is_oracle()) let_through_next(message, id);
    Instant answered = value_.now;
    if (message.reset || node.down_until > value_.now) {
        message.reply = Reply::unknown();
        answered += kRefusal;
    } else {
        execute(message);
    }
    if (!message.unanswered) {
        agenda_.armed(move_of(MoveKind::deliver, id), {answered});
    }
    free_if_over(id);
}

void Cluster::let_through_next(Message& message, std::uint32_t id) {
    std::uint32_t& last = last_sent(message.route);
    if (last == id) last = Message::kNone;
    const std::uint32_t next = std::exchange(message.behind, Message::kNone);
    if (next == Message::kNone) return;
    agenda_.armed(move_of(MoveKind::arrive, next), {value_.now});
}

void Cluster::execute(Message& message) {
    Node& node = this->node(message.route.node);
    outbox_.clear();
    const Request request{message.route, &message.command};
    std::visit([&](auto& store) { store.on(request, time_at(node), outbox_); }, node.store);
    keep_snapshot(node);
    message.reply = outbox_.take_reply();
    const ClientId client = message.route.client;
    if (outbox_.delta()) {
        note(client, message.phase,
             event::Executed{message.call, message.route.node, message.sent, message.command,
                             message.reply, *outbox_.delta()});
    }
    if (outbox_.note()) note(client, message.phase, std::move(*outbox_.note()));
}

void Cluster::send_again(const Move& move) {
    const std::uint32_t id =
        new_message(move.client, move.task, move.ticket, message(move.message).route.node);
    const Message& first = value_.messages[move.message];
    Message& again = value_.messages[id];
    again.command = first.command;
    again.call = first.call;
    again.resent = true;
    drop(move);
    send(id);
}

void Cluster::free_if_over(std::uint32_t id) {
    Message& message = value_.messages[id];
    if (!message.arrived || !message.told) return;
    message.in_flight = false;
    value_.free_messages.push_back(id);
}

}  // namespace locklab
