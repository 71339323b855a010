#include "harness/check/key_log.h"

#include <algorithm>
#include <utility>

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// A key that is made or overwritten is taken; one that is only extended (a lock that its holder
/// may take again) is taken if nothing else is.
bool takes(const KeyEffect& effect, bool has_taking) {
    switch (effect.kind) {
        case Effect::created:
        case Effect::replaced: return true;
        case Effect::extended: return !has_taking;
        default: return false;
    }
}

/// A client that wants the lock tries; one whose try was in vain tries again.
bool begins_try(const Event& event) {
    return std::holds_alternative<event::Wants>(event.detail) ||
           std::holds_alternative<event::Refused>(event.detail) ||
           std::holds_alternative<event::Failed>(event.detail);
}

std::unique_ptr<const std::string> arguments_of(const event::Executed& ran) {
    const Command& command = ran.command;
    if (command.script() == nullptr || ran.effect.kind != Effect::deleted) return nullptr;
    std::string text;
    for (std::size_t i = 1; i < command.size(); ++i) (text += command[i]) += '\0';
    return std::make_unique<const std::string>('\0' + text);
}

/// Whether the key is there yet that was taken so, and nobody has touched it since.
template <class Changes>
bool is_left(const Changes& changes, std::size_t place, Instant now) {
    const KeyChange& taken = changes[place];
    for (std::size_t i = place + 1; i < changes.size(); ++i) {
        if (changes[i].node == taken.node) return false;
    }
    return taken.effect.ttl == Duration::zero() || now < taken.at + taken.effect.ttl;
}

}  // namespace

KeyLog::KeyLog(const HistoryHead& head)
    : key_(head.key),
      began_(head.began),
      clock_unit_(head.clock_unit),
      exact_(head.orders_executions()),
      live_(head.world == "live"),
      is_ours_(live_ || head.world == "sim"),
      is_shared_(head.permits != 1),
      renews_(head.tells_within != Duration::zero()),
      tasks_(head.tasks),
      tells_commands_(is_ours_) {}

KeyLog::KeyLog(const History& history) : KeyLog(static_cast<const HistoryHead&>(history)) {
    for (std::size_t i = 0; i < history.events.size(); ++i) see(history.events[i], i);
}

void KeyLog::see(const Event& event, std::size_t place) {
    if (rounds_.see(event)) {
        clients_[event.client].taking.clear();
        clients_[event.client].is_unsure = false;
    }
    if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
        see(event, place, *ran);
    } else if (const auto* granted = std::get_if<event::Granted>(&event.detail)) {
        see(event, place, *granted);
    } else if (begins_try(event)) {
        clients_[event.client].try_began = place;
        clients_[event.client].has_sent = false;
    } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        if (takes_over(fault->hazard)) failover_ = faults_.size();
        faults_.push_back({place, event.at, event.client, fault->hazard, fault->amount, fault->call,
                           fault->node});
        if (fault->hazard == Hazard::lose_request) unknown_.erase(fault->call);
    } else if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        Client& client = clients_[event.client];
        if (event.phase == Phase::acquire && !std::exchange(client.has_sent, true)) {
            client.try_began = place;
        }
        const bool may_run = live_ && sent->node != kOracle;
        if (may_run) unknown_[sent->call] = {event.at, rounds_.of_sent(event)};
    }
}

void KeyLog::see(const Event& event, std::size_t place, const event::Executed& ran) {
    tells_commands_ = true;
    unknown_.erase(ran.call);
    if (ran.effect.source == KeyEffect::Source::uncertain) {
        ++uncertain_;
        clients_[event.client].is_unsure = true;
    }
    if (ran.effect.kind == Effect::none || is_shared_ || is_other_key(ran)) return;
    const Sender sender = rounds_.sender(event, ran);
    Client& client = clients_[event.client];
    const bool in_round = sender.round == rounds_.now(event.client);
    if (in_round) see_taking(client, ran);
    changes_.push_back({place,
                        event.at,
                        ran.sent,
                        event.client,
                        ran.node,
                        ran.call,
                        sender.round,
                        sender.phase,
                        false,
                        ran.effect,
                        {},
                        arguments_of(ran)});
}

/// What a grant may come to rest on; of several at one server the last counts. A try that got some
/// servers of several, and not enough, gives these back.
void KeyLog::see_taking(Client& client, const event::Executed& ran) {
    const auto before =
        std::find_if(client.taking.begin(), client.taking.end(),
                     [&](const Taking& t) { return changes_[t.place].node == ran.node; });
    const bool has_taking = before != client.taking.end();
    if (has_taking && ran.effect.kind == Effect::deleted) before->given_back = true;
    if (!takes(ran.effect, has_taking)) return;
    if (has_taking) client.taking.erase(before);
    client.taking.push_back({changes_.size()});
}

void KeyLog::see(const Event& event, std::size_t place, const event::Granted& granted) {
    Client& client = clients_[event.client];
    const std::uint32_t round = rounds_.now(event.client);
    // It takes the lock again, and counts that by itself; or it kept its key over its last release.
    const auto last_of_client = std::find_if(
        claims_.rbegin(), claims_.rend(), [&](const Claim& c) { return c.client == event.client; });
    const bool keeps_key =
        last_of_client != claims_.rend() && last_of_client->token == granted.token.text &&
        std::ranges::any_of(client.held,
                            [&](const Taking& t) { return is_left(changes_, t.place, event.at); });
    const bool takes_again = client.held_round == round || keeps_key;
    if (client.taking.empty() && takes_again) client.taking.swap(client.held);
    const bool keeps_some = std::any_of(client.taking.begin(), client.taking.end(),
                                        [](const Taking& t) { return !t.given_back; });
    if (keeps_some) std::erase_if(client.taking, [](const Taking& t) { return t.given_back; });
    std::optional<std::size_t> last;
    for (const Taking& taking : client.taking) {
        changes_[taking.place].takes = true;
        changes_[taking.place].beside = std::exchange(last, taking.place);
    }
    claims_.push_back({place, event.at, round, last, granted.token.text, granted.lease,
                       event.client, granted.grant, granted.fence, granted.mode, client.try_began,
                       client.held_round == round, client.is_unsure});
    client.held_round = round;
    client.held.swap(client.taking);
    client.taking.clear();
}

/// Our worlds tell what a command did to the lock's key, whichever keys it names. Somebody else's
/// history may tell of each command what it did to its own.
bool KeyLog::is_other_key(const event::Executed& ran) const {
    const Command& command = ran.command;
    const bool names_one = !command.empty() && !command.key().empty();
    if (is_ours_ || key_.empty() || !names_one) return false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == key_) return false;
    }
    return ran.effect.source == KeyEffect::Source::seen;
}

}  // namespace locklab
