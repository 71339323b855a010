// What the future of a plain run depends on, as text.

#include <algorithm>
#include <tuple>

#include "harness/explore/plain_run.h"

namespace locklab {

namespace {

constexpr char kEnd = ';';

std::string text_of(Duration left) {
    return std::to_string(std::max(left, Duration::zero()) / std::chrono::milliseconds(1));
}

void add_value(const KeyValue& value, std::string& text) {
    if (const auto* word = std::get_if<std::string>(&value)) {
        text += "=" + *word;
        return;
    }
    for (const HashField& field : std::get<HashValue>(value).fields()) {
        text += " " + field.name + "=" + field.value;
    }
}

/// One wait of a client. The order of lines does not depend on the numbers of tokens.
struct Line {
    std::uint32_t task = 0;
    std::uint32_t node = 0;
    MoveKind kind = MoveKind::fire;
    bool is_sent = false;
    std::uint32_t ticket = 0;
    std::string text;

    auto order() const { return std::tuple(task, node, kind, is_sent, ticket); }
};

}  // namespace

std::string PlainRun::data_text() const {
    std::string text;
    for (std::uint32_t i = 0; i < cluster_.nodes(); ++i) {
        for (const KeyEntry& entry : data_of(NodeId{i}).keys().entries()) {
            text += "s" + std::to_string(i) + " " + entry.name;
            add_value(entry.value, text);
            if (entry.has_deadline()) {
                const Duration clock = cluster_.clock_of(NodeId{i}).time_since_epoch();
                // A key past its deadline is there until a command looks for it, as is one that
                // ends now.
                const Duration left = entry.deadline_ms * kMs - clock;
                text += left < Duration::zero() ? " past" : " for " + text_of(left);
            }
            text += kEnd;
        }
        for (const Session& session : data_of(NodeId{i}).sessions().all()) {
            text += "s" + std::to_string(i) + session_text(session, NodeId{i}) + kEnd;
        }
        for (const Sha1& script : data_of(NodeId{i}).script_cache().names()) {
            text += "s" + std::to_string(i) + " script " + to_hex(script) + kEnd;
        }
    }
    return text;
}

/// Of the connections that a client has left it does not matter how many they are.
std::string PlainRun::session_text(const Session& session, NodeId server) const {
    std::string text = " of nobody";
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        for (const Channel channel : {Channel::worker, Channel::background}) {
            const Route present = cluster_.present_route({ClientId{i}, channel, server});
            if (session.id > session_of(present)) continue;
            if (session.id < session_of({ClientId{i}, channel, server})) continue;
            const bool is_present = session.id == session_of(present);
            text = " of " + std::to_string(i) + (channel == Channel::worker ? "" : " background") +
                   (is_present ? "" : " left");
        }
    }
    if (session.in_transaction) text += session.refused ? " refused" : " multi";
    if (session.touched) text += " touched";
    for (const QueuedCommand& queued : session.queue) {
        for (const std::string& word : queued.words) text += " " + word;
        text += ",";
    }
    for (const WatchedKey& key : session.watched) text += " watches " + key.name;
    return text;
}

std::string PlainRun::waits_text(std::uint8_t client) const {
    std::vector<Line> lines;
    const auto add = [&](const Move& move, bool is_sent) -> std::string& {
        const bool sleeps = move.kind == MoveKind::fire;
        const std::uint32_t node = sleeps ? 0 : route_of(move).node.value;
        return lines.emplace_back(Line{move.task.value, node, move.kind, is_sent, move.ticket, ""})
            .text;
    };
    for (const std::uint32_t id : ready_) {
        const Message& message = cluster_.message(id);
        if (message.route.client.value != client) continue;
        add(cluster_.move_of(MoveKind::arrive, id), false) = to_string(message.command);
    }
    for (const Pending& pending : pending_) {
        if (pending.move.client.value != client || is_answered(pending)) continue;
        std::string& text = add(pending.move, true);
        text = text_of(pending.window.earliest - now()) + " ";
        if (pending.window.latest != Instant::max()) {
            text += text_of(pending.window.latest - now());
        }
        text +=
            " " + text_of(pending.stop == Instant::max() ? Duration::zero() : pending.stop - now());
        if (pending.move.kind == MoveKind::fire) continue;
        const Message& message = cluster_.message(pending.move.message);
        text += " " + to_string(message.command);
        if (pending.move.kind == MoveKind::deliver) text += " -> " + to_string(message.reply);
    }
    std::ranges::sort(lines, {}, &Line::order);
    std::string text = clients_[client].begun ? "" : "new";
    for (const Line& line : lines) {
        text += "t" + std::to_string(line.task) + " s" + std::to_string(line.node) + " k" +
                std::to_string(static_cast<std::uint32_t>(line.kind)) +
                (line.is_sent ? " sent " : " ready ") + line.text + kEnd;
    }
    return text;
}

std::string PlainRun::faults_text() const {
    std::string text = "left";
    for (const std::uint32_t count : left_) text += " " + std::to_string(count);
    for (std::uint32_t i = 0; i < bounds_.clients; ++i) {
        const ClientValue& client = cluster_.value().clients[i];
        text += clients_[i].gone ? " gone" : " there";
        text += " " + text_of(client.paused_until - now()) + " " +
                text_of(client.stalled_until - now());
        for (std::uint32_t at = 0; is_there(i) && at < cluster_.nodes(); ++at) {
            text += " " + text_of(cluster_.cut_until(ClientId{i}, NodeId{at}) - now());
        }
    }
    for (const auto& node : cluster_.value().nodes) {
        text += " " + text_of(node.down_until - now()) + " " + text_of(node.hangs_until - now());
    }
    for (const auto& queue : queues_) {
        text += " waits";
        for (const std::uint32_t id : queue) {
            const Message& message = cluster_.message(id);
            text +=
                " " + std::to_string(message.route.client.value) + ":" + to_string(message.command);
        }
    }
    return text + kEnd;
}

bool PlainRun::rests(std::uint8_t client) const {
    const auto is_its = [&](std::uint32_t id) {
        return cluster_.message(id).route.client.value == client;
    };
    if (!clients_[client].begun || std::ranges::any_of(ready_, is_its)) return false;
    std::size_t waits = 0;
    bool is_lazy = false;
    for (const Pending& pending : pending_) {
        // A request that no task waits for has only its arrival left.
        if (pending.move.client.value != client || pending.move.kind == MoveKind::arrive) continue;
        ++waits;
        is_lazy = pending.move.kind == MoveKind::fire && pending.window.latest == Instant::max();
    }
    return waits == 1 && is_lazy;
}

}  // namespace locklab
