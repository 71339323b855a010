#include "harness/check/key_log.h"

#include <algorithm>
#include <unordered_map>

#include "harness/check/per_client.h"

namespace locklab {

namespace {

struct Sender {
    std::uint32_t round = 0;
    Phase phase = Phase::idle;
};

/// Follows the rounds of every client.
class Rounds {
public:
    struct Client {
        std::uint32_t round = 0;
        std::uint32_t granted_round = 0;  ///< the last that was granted: its watchdog's
        std::vector<std::pair<Instant, std::uint32_t>> begun;
        std::unordered_map<std::uint64_t, Sender> sent;
        std::optional<std::size_t> taking;
    };

    Client& of(ClientId id) {
        Client& client = clients_[id];
        if (client.round == 0) begin(client, Instant());
        return client;
    }

    void begin(Client& client, Instant at) {
        client.round = ++last_;
        client.begun.emplace_back(at, client.round);
        client.taking.reset();
    }

    static void send(Client& client, std::uint64_t call, Phase phase) {
        const bool background = phase == Phase::background;
        client.sent[call] = {background ? client.granted_round : client.round, phase};
    }

    /// Who sent the command that ran. Without its Sent, the instant of sending must do.
    static Sender sender(const Client& client, const event::Executed& executed, Phase phase) {
        const auto sent = client.sent.find(executed.call);
        if (sent != client.sent.end()) return sent->second;
        if (phase == Phase::background) return {client.granted_round, phase};
        const auto later =
            std::upper_bound(client.begun.begin() + 1, client.begun.end(), executed.sent,
                             [](Instant at, const auto& round) { return at < round.first; });
        return {std::prev(later)->second, phase};
    }

private:
    PerClient<Client> clients_;
    std::uint32_t last_ = 0;
};

/// A key that is made or overwritten is taken; one that is only extended (a lock that its holder
/// may take again) is taken if nothing else is.
bool takes(const KeyEffect& effect, bool has_taking) {
    switch (effect.kind) {
        case KeyEffect::Kind::created:
        case KeyEffect::Kind::replaced: return true;
        case KeyEffect::Kind::extended: return !has_taking;
        default: return false;
    }
}

}  // namespace

KeyLog::KeyLog(const History& history)
    : history_(history), tells_commands_(history.world == "sim" || history.world == "live") {
    Rounds rounds;
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        const Event& event = history.events[i];
        Rounds::Client& client = rounds.of(event.client);
        if (std::holds_alternative<event::Wants>(event.detail) ||
            std::holds_alternative<event::Released>(event.detail)) {
            rounds.begin(client, event.at);
        } else if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
            Rounds::send(client, sent->call, event.phase);
        } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            tells_commands_ = true;
            const bool other_key =
                !history.key.empty() && !ran->command.empty() && ran->command.key() != history.key;
            if (ran->effect.kind == KeyEffect::Kind::none || ran->node == kArbiter || other_key) {
                continue;
            }
            const Sender sender = Rounds::sender(client, *ran, event.phase);
            const bool own = sender.phase != Phase::background && sender.round == client.round;
            if (own && takes(ran->effect, client.taking.has_value())) {
                client.taking = changes_.size();
            }
            changes_.push_back({i, event.client, sender.round, sender.phase, false});
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            client.granted_round = client.round;
            claims_.push_back({i, client.round, client.taking});
            if (client.taking.has_value()) changes_[*client.taking].takes = true;
            client.taking.reset();
        } else if (std::holds_alternative<event::Fault>(event.detail)) {
            faults_.push_back(i);
        }
    }
}

const Claim& KeyLog::claim_of(const Inside& stay) const {
    const auto claim =
        std::lower_bound(claims_.begin(), claims_.end(), stay.begin,
                         [](const Claim& c, std::size_t granted) { return c.granted < granted; });
    LOCKLAB_ASSERT(claim != claims_.end() && claim->granted == stay.begin);
    return *claim;
}

const event::Executed& KeyLog::executed(const KeyChange& change) const {
    return std::get<event::Executed>(event_of(change).detail);
}

const Token& KeyLog::token_of(const Claim& claim) const {
    return std::get<event::Granted>(history_.events[claim.granted].detail).token;
}

Duration KeyLog::lease_of(const Claim& claim) const {
    return std::get<event::Granted>(history_.events[claim.granted].detail).lease;
}

Instant KeyLog::earliest(const KeyChange& change) const {
    const Instant at = event_of(change).at;
    return is_exact() ? at : std::min(at, executed(change).sent);
}

const Event* KeyLog::fault(HazardSet hazards, std::size_t after, std::size_t before) const {
    for (auto place = std::upper_bound(faults_.begin(), faults_.end(), after);
         place != faults_.end() && *place < before; ++place) {
        const Event& event = history_.events[*place];
        if (hazards.contains(std::get<event::Fault>(event.detail).hazard)) return &event;
    }
    return nullptr;
}

bool KeyLog::struck(HazardSet hazards, ClientId client, std::size_t before) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](std::size_t place) {
        const Event& event = history_.events[place];
        return place < before && event.client == client &&
               hazards.contains(std::get<event::Fault>(event.detail).hazard);
    });
}

}  // namespace locklab
