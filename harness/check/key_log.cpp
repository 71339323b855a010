#include "harness/check/key_log.h"

#include <algorithm>
#include <utility>

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

/// How many keys besides the lock's are followed. Only a lock with a new key for each try has more.
constexpr std::size_t kMostOtherKeys = 64;

/// A key that is created or overwritten is taken; one that is only extended (by a reentrant lock)
/// is taken if nothing else is.
bool takes(const KeyEffect& effect, bool has_taking) {
    switch (effect.kind) {
        case Effect::created:
        case Effect::replaced: return true;
        case Effect::extended: return !has_taking;
        default: return false;
    }
}

/// A client that wants the lock tries; one whose try failed tries again.
bool begins_try(const Event& event) {
    return std::holds_alternative<event::Wants>(event.detail) ||
           std::holds_alternative<event::Refused>(event.detail) ||
           std::holds_alternative<event::Failed>(event.detail);
}

std::unique_ptr<const std::string> arguments_of(const event::Executed& ran, std::uint32_t key,
                                                const KeyEffect& effect, const KnownWords& words) {
    const Command& command = ran.command;
    const bool deletes = command.script() != nullptr && effect.kind == Effect::deleted;
    if (!deletes && key == 0) return nullptr;
    std::string text(1, '\0');
    for (std::size_t i = 1; i < command.size(); ++i) {
        if (!words.was_read(command[i])) (text += command[i]) += '\0';
    }
    return std::make_unique<const std::string>(std::move(text));
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
        Client& client = clients_[event.client];
        client.taking.clear();
        client.is_unsure = client.has_asked = false;
        client.words.begin_round();
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
                           fault->node, key_of(*fault)});
        if (fault->hazard == Hazard::lose_request) unknown_.erase(fault->call);
    } else if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        Client& client = clients_[event.client];
        if (event.phase == Phase::acquire && !std::exchange(client.has_sent, true)) {
            client.try_began = place;
        }
        const bool may_run = live_ && sent->node != kOracle;
        if (may_run) unknown_[sent->call] = {event.at, rounds_.of_sent(event, *sent)};
    }
}

void KeyLog::see(const Event& event, std::size_t place, const event::Executed& ran) {
    tells_commands_ = true;
    unknown_.erase(ran.call);
    Client& client = clients_[event.client];
    if (ran.effect.source == KeyEffect::Source::uncertain) {
        ++uncertain_;
        client.is_unsure = true;
    }
    if (is_shared_) return;
    const bool elsewhere = is_other_key(ran);
    const bool is_unsure = elsewhere && event.phase == Phase::acquire;
    if (is_unsure && ran.effect.kind == Effect::none) client.is_unsure = true;
    if (!elsewhere) add(event, place, ran, 0, ran.effect);
    if (elsewhere) add_other(event, place, ran, std::string(ran.command.key()), ran.effect);
    for (const event::OtherKey& other : ran.others) {
        add_other(event, place, ran, other.key, other.effect);
    }
    client.has_asked = true;
    client.words.see(ran);
}

void KeyLog::add(const Event& event, std::size_t place, const event::Executed& ran,
                 std::uint32_t key, const KeyEffect& effect) {
    if (effect.kind == Effect::none) return;
    const Sender sender = rounds_.sender(event, ran);
    Client& client = clients_[event.client];
    KeyChange change{place,    event.at, ran.sent,     event.client,
                     ran.node, ran.call, sender.round, sender.phase};
    change.effect = effect;
    change.key = key;
    change.arguments = arguments_of(ran, key, effect, client.words);
    change.written = changes_.size();
    const auto there = std::ranges::find_if(
        places_, [&](const Place& p) { return p.node == ran.node && p.key == key; });
    const bool writes = effect.kind == Effect::created || effect.kind == Effect::replaced;
    if (there == places_.end()) {
        places_.push_back({ran.node, key, changes_.size()});
    } else {
        if (!writes) change.written = changes_[there->last].written;
        there->last = changes_.size();
    }
    const bool in_round = sender.round == rounds_.now(event.client);
    const bool may_take = key == 0 || sender.phase != Phase::release;
    if (in_round && may_take) see_taking(client, change);
    changes_.push_back(std::move(change));
}

/// Keeps what a grant may come to rest on; of several changes of one key the last counts. A try
/// that got too few of several servers gives these back.
void KeyLog::see_taking(Client& client, const KeyChange& change) {
    const auto before =
        std::find_if(client.taking.begin(), client.taking.end(), [&](const Taking& t) {
            return changes_[t.place].node == change.node && changes_[t.place].key == change.key;
        });
    const bool has_taking = before != client.taking.end();
    if (has_taking && change.effect.kind == Effect::deleted) before->given_back = true;
    if (!takes(change.effect, has_taking)) return;
    if (has_taking) client.taking.erase(before);
    client.taking.push_back({changes_.size()});
}

/// Our worlds record a command's effect on the lock's key, whichever keys it names. A foreign
/// history may record the effect on the command's own key instead.
bool KeyLog::is_other_key(const event::Executed& ran) const {
    const Command& command = ran.command;
    const bool names_one = !command.empty() && !command.key().empty();
    if (is_ours_ || key_.empty() || !names_one) return false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == key_) return false;
    }
    return ran.effect.source == KeyEffect::Source::seen;
}

void KeyLog::add_other(const Event& event, std::size_t place, const event::Executed& ran,
                       const std::string& key, const KeyEffect& effect) {
    if (effect.kind == Effect::none) return;
    const auto known = std::ranges::find(other_keys_, key);
    const auto number = static_cast<std::uint32_t>(known - other_keys_.begin()) + 1;
    const bool is_new = known == other_keys_.end();
    if (is_new && number > kMostOtherKeys) {
        clients_[event.client].is_unsure = true;
        return;
    }
    if (is_new) other_keys_.push_back(key);
    add(event, place, ran, number, effect);
}

}  // namespace locklab
