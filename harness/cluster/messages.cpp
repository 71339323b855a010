// How a command leaves its client, is executed, and is answered.

#include <algorithm>

#include "harness/cluster/cluster.h"
#include "harness/store/redis/redis_call.h"
#include "harness/store/write_guard.h"

namespace locklab {

namespace {

/// The least time until a client learns that its connection was refused or broken.
constexpr Duration kRefusal = std::chrono::milliseconds(1);

}  // namespace

std::size_t Cluster::place_of(const Route& route) const {
    return route.client.value * value_.nodes.size() + place_of(route.node);
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
    if (action.to_all) probes_.hit(Probe::send_to_all);
    for (std::uint32_t i = 1; action.to_all && i < servers(); ++i) {
        const std::uint32_t id = new_message(client, task, action.ticket, NodeId{i - 1});
        value_.messages[id].command = action.command;
        agenda_.is_ready(id);
    }
    const NodeId last = action.to_all ? NodeId{servers() - 1} : action.node;
    const std::uint32_t id = new_message(client, task, action.ticket, last);
    std::swap(value_.messages[id].command, action.command);
    agenda_.is_ready(id);
}

std::uint32_t Cluster::new_message(ClientId client, TaskId task, std::uint32_t ticket,
                                   NodeId server) {
    if (value_.free_messages.empty()) {
        value_.free_messages.push_back(static_cast<std::uint32_t>(value_.messages.size()));
        value_.messages.emplace_back();
    }
    const std::uint32_t id = value_.free_messages.back();
    value_.free_messages.pop_back();
    Message& message = value_.messages[id];
    message.route = {client, channel_of(task), node_for(client, server)};
    message.server = server;
    message.task = task;
    message.phase = machines_[client.value]->phase_of(task);
    message.rounds_ago = machines_[client.value]->rounds_ago(task);
    message.ticket = ticket;
    message.call = 0;
    message.reply_late = Duration::zero();
    message.in_flight = message.in_line = false;
    message.unanswered = message.resend = message.resent = false;
    message.reset = message.arrived = message.told = false;
    message.error.reset();
    message.cut = message.runs_before_cut = false;
    return id;
}

void Cluster::depart(std::uint32_t id, const PlannedFault* fault) {
    Message& message = value_.messages[id];
    const bool to_oracle = node(message.route.node).is_oracle();
    message.sent = value_.now;
    message.in_flight = true;
    message.route.connection = connection(message.route);
    const ClientId client = message.route.client;
    const bool was_cut = !to_oracle && cut_until(client, message.route.node) > value_.now;
    const bool cuts = !was_cut && fault != nullptr && cuts_link(fault->hazard);
    if (cuts) cut_link(message.route, *fault);
    if (!to_oracle && !message.resent) {
        message.call = ++value_.calls;
        note_depart(message);
    }
    if (was_cut || cuts) {
        lose(message, cuts && fault->ran ? Hazard::lose_reply : Hazard::lose_request);
    } else if (fault != nullptr) {
        strike_message(message, *fault);
    }
    if (!to_oracle && !message.told) {
        const Instant ends = patience_ends(message);
        agenda_.armed(move_of(MoveKind::expire, id), {ends, ends});
    }
    if (message.arrived) return free_if_over(id);
    if (!to_oracle) put_in_line(id);
    if (!message.in_line) agenda_.armed(move_of(MoveKind::arrive, id), {value_.now});
}

/// What the client has not sent yet goes to the new master; requests on their way, and waits for
/// their replies, stay.
void Cluster::learn(ClientId id) {
    probes_.hit(Probe::learn);
    value_.clients[id.value].master = value_.master;
    for (Message& message : value_.messages) {
        const bool is_its = message.route.client == id && message.route.node != kOracle;
        if (is_its && !message.in_flight) message.route.node = value_.master;
    }
    note(id, machines_[id.value]->phase_of(TaskId{}), event::Learnt{value_.master}, ResourceId{});
}

void Cluster::note_depart(const Message& message) {
    probes_.hit(Probe::send);
    const bool to_the_old = config_.topology.replicas > 0 && message.route.node != value_.master;
    if (to_the_old) probes_.hit(Probe::send_to_the_old);
    if (!config_.record) return;
    note(message.route.client, message.phase,
         event::Sent{message.call, message.route.node, message.command, message.rounds_ago},
         resource_at(message.route.node));
}

/// The request, or its reply, is lost.
void Cluster::lose(Message& message, Hazard how) {
    note_fault(message.route.client, PlannedFault{how, {}, {}}, message.call);
    message.arrived = how == Hazard::lose_request;
    message.unanswered = true;
}

void Cluster::cut_link(const Route& route, const PlannedFault& fault) {
    hold_up(value_.cut_until[link_of(route.client, route.node)], value_.now + fault.amount);
    note_fault(route.client, PlannedFault{fault.hazard, {}, fault.amount, route.node});
}

void Cluster::strike_message(Message& message, const PlannedFault& planned) {
    PlannedFault fault = planned;
    fault.error = kind_for(message.command, planned.error);
    const bool is_lost = fault.hazard == Hazard::lose_request || fault.hazard == Hazard::lose_reply;
    if (is_lost) return lose(message, fault.hazard);
    note_fault(message.route.client, fault, message.call);
    switch (fault.hazard) {
        case Hazard::error_reply: message.error = fault.error; return;
        case Hazard::reset:
            message.cut = true;
            message.runs_before_cut = fault.ran;
            return;
        case Hazard::delay_request: message.arrives += fault.amount; return;
        case Hazard::delay_reply: message.reply_late = fault.amount; return;
        default: LOCKLAB_ASSERT(fault.hazard == Hazard::retry);
    }
    message.resend = message.unanswered = true;
}

void Cluster::arrive(std::uint32_t id) {
    Message& message = value_.messages[id];
    Node& node = this->node(message.route.node);
    LOCKLAB_ASSERT(!message.in_line);
    message.arrived = true;
    if (!node.is_oracle()) let_through_next(message, id);
    Window answered{value_.now};
    if (message.reset || node.down_until > value_.now) {
        probes_.hit(message.reset ? Probe::reset : Probe::refuse_while_down);
        message.reply = Reply::unknown();
        answered = {value_.now + kRefusal, patience_ends(message)};
    } else if (message.error) {
        probes_.hit(Probe::answer_with_error);
        message.reply = Reply::error(std::string(row_of(*message.error).words));
    } else if (message.cut) {
        probes_.hit(Probe::cut_off);
        if (message.runs_before_cut) execute(message);
        message.reply = Reply::unknown();
    } else {
        execute(message);
    }
    if (message.cut) leave_connection(message.route);
    close_if_over(message.route);
    if (!message.unanswered && !message.told) {
        agenda_.armed(move_of(MoveKind::deliver, id), answered);
    }
    free_if_over(id);
}

void Cluster::count_execution(const Message& message) {
    if (message.route.node == kOracle) return probes_.hit(Probe::ask_oracle);
    probes_.hit(Probe::execute);
    if (message.told) probes_.hit(Probe::execute_late);
    if (machines_[message.route.client.value]->crashed()) probes_.hit(Probe::execute_of_the_dead);
}

/// Whether the script that is to write finds that the lock's key does not hold the job's token, or
/// finds no server. It runs where its client takes the master to be.
bool Cluster::is_guarded_off(const Message& message) const {
    const bool is_write = message.route.node == kOracle && message.command[0] == "WRITE";
    if (!config_.guards_writes || !is_write || !config_.algorithm->on_redis()) return false;
    const std::uint32_t client = message.route.client.value;
    const Node& server = value_.nodes[place_of(value_.clients[client].master)];
    const std::string& token = tokens_held_[client];
    if (RemoteStore* const* remote = std::get_if<RemoteStore*>(&server.store)) {
        const Command script = Command::eval(kHoldsToken, config_.key, Token{token});
        Outbox out;
        (*remote)->on(Request{message.route, &script}, time_at(server), out);
        return !out.take_reply().is_integer(1);
    }
    const auto* redis = std::get_if<RedisStore>(&server.store);
    if (redis == nullptr || server.down_until > value_.now) return true;
    const KeyEntry* const entry = redis->data().keys().stored(config_.key.name);
    if (entry == nullptr || entry->expired(milliseconds(time_at(server)))) return true;
    if (const auto* text = std::get_if<std::string>(&entry->value)) return *text != token;
    return std::ranges::none_of(std::get<HashValue>(entry->value).fields(),
                                [&](const HashField& field) { return field.name == token; });
}

void Cluster::execute(Message& message) {
    Node& node = this->node(message.route.node);
    outbox_.clear();
    count_execution(message);
    if (is_guarded_off(message)) {
        message.reply = Reply::nil();
        return note(message.route.client, message.phase, event::Denied{}, ResourceId{});
    }
    const Request request{message.route, &message.command};
    std::visit(
        [&](auto& store) {
            if constexpr (std::is_pointer_v<std::decay_t<decltype(store)>>) {
                store->on(request, time_at(node), outbox_);
            } else {
                store.on(request, time_at(node), outbox_);
            }
        },
        node.store);
    keep_snapshot(node);
    message.reply = outbox_.take_reply();
    const ClientId client = message.route.client;
    if (outbox_.delta()) {
        event::Executed ran{message.call,    message.route.node, message.sent,
                            message.command, message.reply,      *outbox_.delta()};
        ran.others = outbox_.take_others();
        note(client, message.phase, std::move(ran), resource_at(message.route.node));
    }
    if (outbox_.note()) note(client, message.phase, std::move(*outbox_.note()), ResourceId{});
}

void Cluster::send_again(const Move& move) {
    const std::uint32_t id =
        new_message(move.client, move.task, move.ticket, message(move.message).server);
    const Message& first = value_.messages[move.message];
    Message& again = value_.messages[id];
    again.command = first.command;
    again.call = first.call;
    again.resent = true;
    probes_.hit(Probe::send_again);
    end_wait(move);
    agenda_.is_ready(id);
}

void Cluster::withdraw(std::uint32_t id) {
    Message& message = value_.messages[id];
    message.arrived = message.told = true;
    free_if_over(id);
}

void Cluster::answer(std::uint32_t id, Reply&& reply) {
    value_.messages[id].arrived = true;
    observe(move_of(MoveKind::deliver, id), 0, std::move(reply));
}

void Cluster::free_if_over(std::uint32_t id) {
    Message& message = value_.messages[id];
    if (!message.arrived || !message.told) return;
    message.in_flight = false;
    value_.free_messages.push_back(id);
}

}  // namespace locklab
