#include "harness/check/rounds.h"

#include <algorithm>

namespace locklab {

void Rounds::begin(Client& client, Instant at) {
    client.round = ++last_;
    client.begun.emplace_back(at, client.round);
}

bool Rounds::see(const Event& event) {
    Client& client = clients_[event.client];
    if (client.round == 0) begin(client, Instant());
    const auto* wants = std::get_if<event::Wants>(&event.detail);
    const bool again = wants != nullptr && wants->again && client.granted_round == client.round;
    const bool begins =
        (wants != nullptr && !again) || std::holds_alternative<event::Released>(event.detail);
    if (begins) {
        begin(client, event.at);
        if (wants != nullptr) client.wanted.push_back(client.round);
        return true;
    }
    if (std::holds_alternative<event::Granted>(event.detail)) client.granted_round = client.round;
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        client.sent[sent->call] = {of_sent(event, *sent), event.phase};
    } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        const auto struck = client.sent.find(fault->call);
        if (struck != client.sent.end()) struck->second.struck = true;
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        const auto over = client.sent.find(replied->call);
        const bool forget =
            over != client.sent.end() && !over->second.struck && !replied->reply.is_unknown();
        if (forget) client.sent.erase(over);
    }
    return false;
}

std::uint32_t Rounds::of_sent(const Event& event, const event::Sent& sent) {
    const Client& client = clients_[event.client];
    const bool is_older = sent.rounds_ago > 0 && sent.rounds_ago < client.wanted.size();
    if (is_older) return client.wanted[client.wanted.size() - 1 - sent.rounds_ago];
    return event.phase == Phase::background ? client.granted_round : client.round;
}

Sender Rounds::sender(const Event& event, const event::Executed& executed) {
    const Client& client = clients_[event.client];
    const auto sent = client.sent.find(executed.call);
    if (sent != client.sent.end()) return sent->second;
    if (event.phase == Phase::background) return {client.granted_round, event.phase};
    const auto later =
        std::upper_bound(client.begun.begin() + 1, client.begun.end(), executed.sent,
                         [](Instant at, const auto& round) { return at < round.first; });
    return {std::prev(later)->second, event.phase};
}

}  // namespace locklab
