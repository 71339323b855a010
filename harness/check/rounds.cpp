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
    if (std::holds_alternative<event::Wants>(event.detail) ||
        std::holds_alternative<event::Released>(event.detail)) {
        begin(client, event.at);
        return true;
    }
    if (std::holds_alternative<event::Granted>(event.detail)) client.granted_round = client.round;
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        const bool background = event.phase == Phase::background;
        client.sent[sent->call] = {background ? client.granted_round : client.round, event.phase};
    }
    return false;
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
