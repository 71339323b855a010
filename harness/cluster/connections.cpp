// The connections of clients: the order of what is sent over one, and how one ends.

#include <algorithm>
#include <utility>

#include "harness/cluster/cluster.h"

namespace locklab {

/// A client that gives up on a command closes the connection, so nothing waits behind that command.
std::optional<std::uint32_t> Cluster::ahead_of(std::uint32_t id) const {
    const Route& route = value_.messages[id].route;
    const std::uint32_t last =
        value_.last_sent[place_of(route)][static_cast<std::size_t>(route.channel)];
    const bool is_ahead = last != Message::kNone && !value_.messages[last].unanswered;
    return is_ahead ? std::optional(last) : std::nullopt;
}

/// Makes the message the last on its connection.
void Cluster::put_in_line(std::uint32_t id) {
    Message& message = value_.messages[id];
    message.in_line = waits_behind_another(id);
    const std::uint32_t last = std::exchange(last_sent(message.route), id);
    if (!message.in_line) return;
    probes_.hit(Probe::wait_in_line);
    value_.messages[last].behind = id;
}

void Cluster::will_expire(std::uint32_t id) {
    value_.messages[id].unanswered = true;
    leave_connection(value_.messages[id].route);
}

/// What the client sends from now on goes over another connection.
void Cluster::leave_connection(const Route& route) {
    if (route.node == kOracle || connection(route) != route.connection) return;
    ++connection(route);
    close_if_over(route);
}

void Cluster::leave_connections(ClientId client) {
    for (std::uint32_t i = 0; i < nodes(); ++i) {
        for (const Channel channel : {Channel::worker, Channel::background}) {
            leave_connection(present_route({client, channel, NodeId{i}}));
        }
    }
}

void Cluster::close_if_over(const Route& route) {
    if (route.node == kOracle || connection(route) == route.connection) return;
    const bool goes_on = std::ranges::any_of(value_.messages, [&](const Message& message) {
        return message.in_flight && !message.arrived && message.route == route;
    });
    if (goes_on) return;
    std::visit(
        [&](auto& store) {
            if constexpr (std::is_pointer_v<std::decay_t<decltype(store)>>) {
                store->on(Closed{route}, time_at(node(route.node)), outbox_);
            } else {
                store.on(Closed{route}, time_at(node(route.node)), outbox_);
            }
        },
        node(route.node).store);
}

void Cluster::let_through_next(Message& message, std::uint32_t id) {
    std::uint32_t& last = last_sent(message.route);
    if (last == id) last = Message::kNone;
    const std::uint32_t next = std::exchange(message.behind, Message::kNone);
    if (next == Message::kNone) return;
    probes_.hit(Probe::let_through);
    value_.messages[next].in_line = false;
    agenda_.armed(move_of(MoveKind::arrive, next), {value_.now});
}

void Cluster::break_connections(NodeId id) {
    for (std::uint32_t i = 0; i < value_.messages.size(); ++i) {
        const Message& message = value_.messages[i];
        if (message.in_flight && message.route.node == id) break_off(i);
    }
}

void Cluster::break_off(std::uint32_t id) {
    Message& message = value_.messages[id];
    message.arrived = true;
    message.unanswered = message.resend = false;
    message.reply = Reply::unknown();
    let_through_next(message, id);
    if (!message.told) {
        agenda_.armed(move_of(MoveKind::deliver, id), {value_.now, patience_ends(message)});
    }
    free_if_over(id);
}

}  // namespace locklab
