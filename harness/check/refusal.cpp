#include "harness/check/refusal.h"

#include "harness/check/inside.h"
#include "harness/check/script_keys.h"

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;
/// Redis counts deadlines in milliseconds, and a key still lives in the one of its deadline.
constexpr Duration kTick = std::chrono::milliseconds(1);

}  // namespace

void Refusals::add(const Refusals& other) {
    if (falsely() == 0 && other.falsely() > 0) {
        first_place = other.first_place;
        first_at = other.first_at;
        first_client = other.first_client;
    }
    refused += other.refused;
    of_own += other.of_own;
    of_nobodys += other.of_nobodys;
}

RefusalWatch::RefusalWatch(const HistoryHead& head)
    : key_(head.key),
      exact_(head.world == "sim"),
      whose_(exact_ || head.world == "live" ? Whose::nobodys : Whose::unknown) {}

void RefusalWatch::see(const Event& event, std::size_t place) {
    Client& client = clients_[event.client];
    if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
        see_sent(event, *sent);
    } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
        see_ran(event, *ran);
    } else if (const auto* replied = std::get_if<event::Replied>(&event.detail)) {
        see_replied(event, *replied);
    } else if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
        if (is_crash(event)) client.holds = false;
        if (fault->node == NodeId{0}) see_fault(*fault);
    } else if (const auto* refused = std::get_if<event::Refused>(&event.detail)) {
        if (!refused->unsure) see_refused(event, place);
        client.now = Try();
    } else if (std::holds_alternative<event::Granted>(event.detail)) {
        client.holds = true;
        client.now = Try();
        doubt_others(event.client);
    } else if (std::holds_alternative<event::Released>(event.detail) ||
               std::holds_alternative<event::Finished>(event.detail)) {
        client.holds = false;
    } else if (std::holds_alternative<event::Wants>(event.detail) ||
               std::holds_alternative<event::Failed>(event.detail)) {
        client.now = Try();
    }
}

bool RefusalWatch::is_about_key(const Command& command) {
    if (command.empty() || command.key() != key_) return false;
    if (command.script() == nullptr) return true;
    const auto known = scripts_.find(command.script());
    if (known != scripts_.end()) return known->second;
    return scripts_[command.script()] = names_first_key_alone(command.script()->lua);
}

void RefusalWatch::see_sent(const Event& event, const event::Sent& sent) {
    Client& client = clients_[event.client];
    // Live: the order of two commands that were on their way at once is unknown.
    const bool may_cross = !exact_ && sent.node != kOracle;
    if (may_cross) {
        client.open.insert(sent.call);
        doubt_others(event.client);
    }
    if (event.phase != Phase::acquire) return;
    Try& now = client.now;
    if (sent.node != NodeId{0} || !is_about_key(sent.command)) now.is_clear = false;
    now.calls.push_back(sent.call);
    now.sent = true;
    if (exact_) return;
    for (const Client& other : clients_.values()) {
        if (&other != &client && !other.open.empty()) now.is_clear = false;
    }
}

/// Makes the current tries of all other clients doubtful, since they met this client.
void RefusalWatch::doubt_others(ClientId client) {
    for (Client& other : clients_.all()) {
        if (&other != &clients_[client] && other.now.sent) other.now.is_clear = false;
    }
}

void RefusalWatch::look(Instant now) {
    if (!exact_ || whose_ == Whose::nobodys || !deadline_ || now <= *deadline_) return;
    whose_ = now > *deadline_ + kTick ? Whose::nobodys : Whose::unknown;
}

void RefusalWatch::see_ran(const Event& event, const event::Executed& ran) {
    if (ran.node != NodeId{0}) return;
    look(event.at);
    Client& client = clients_[event.client];
    Try& now = client.now;
    if (now.has(ran.call)) {
        now.ran = true;
        now.was_own = whose_ == Whose::owners && owner_ == event.client;
        now.is_clear = now.is_clear && (whose_ == Whose::nobodys || now.was_own);
        now.gave_back = now.gave_back || ran.effect.kind == Effect::deleted;
        if (ran.effect.kind == Effect::created) now.taking = ran.reply;
    }
    change(event, ran);
}

void RefusalWatch::change(const Event& event, const event::Executed& ran) {
    const KeyEffect& effect = ran.effect;
    const bool told =
        effect.source == KeyEffect::Source::seen || effect.source == KeyEffect::Source::replayed;
    // Live: which of two changes that were on their way at once came first is unknown.
    const bool crossed = !exact_ && changed_ && ran.sent <= *changed_;
    if (effect.kind != Effect::none) changed_ = event.at;
    if (!told || (crossed && changed_ == event.at)) {
        whose_ = Whose::unknown;
        return;
    }
    switch (effect.kind) {
        case Effect::none: return;
        case Effect::created:
            whose_ = Whose::owners;
            owner_ = event.client;
            break;
        case Effect::replaced:
            if (whose_ != Whose::owners || owner_ != event.client) whose_ = Whose::unknown;
            break;
        case Effect::extended: break;
        case Effect::deleted: whose_ = Whose::nobodys; break;
    }
    deadline_ = effect.ttl > Duration::zero() ? std::optional(event.at + effect.ttl) : std::nullopt;
    const bool makes = effect.kind == Effect::created || effect.kind == Effect::replaced;
    if (makes) doubt_others(event.client);
}

void RefusalWatch::see_replied(const Event& event, const event::Replied& replied) {
    Client& client = clients_[event.client];
    if (replied.reply.is_unknown()) return;
    client.open.erase(replied.call);
    Try& now = client.now;
    if (now.has(replied.call) && now.taking == replied.reply) now.took = true;
}

void RefusalWatch::see_fault(const event::Fault& fault) {
    if (!fault.key.empty()) return;
    if (fault.hazard == Hazard::restart_snapshot) {
        whose_ = Whose::unknown;
    } else if (kLosesData.contains(fault.hazard)) {
        whose_ = exact_ ? Whose::nobodys : Whose::unknown;
    } else if (fault.hazard == Hazard::server_clock_jump) {
        if (deadline_ && whose_ == Whose::owners) whose_ = Whose::unknown;
    }
}

void RefusalWatch::see_refused(const Event& event, std::size_t place) {
    ++found_.refused;
    look(event.at);
    const Try& now = clients_[event.client].now;
    if (!now.is_clear || !now.ran || now.gave_back) return;
    for (const Client& other : clients_.values()) {
        if (&other != &clients_[event.client] && other.holds) return;
    }
    const bool is_own = whose_ == Whose::owners && owner_ == event.client;
    // It had the lock, and found that its lease was over by then.
    if (now.took && !is_own) return;
    if (found_.falsely() == 0) {
        found_.first_place = place;
        found_.first_at = event.at;
        found_.first_client = event.client;
    }
    ++(now.was_own || now.took ? found_.of_own : found_.of_nobodys);
}

}  // namespace locklab
