#include "harness/check/key_log.h"

#include <algorithm>

#include "harness/check/per_client.h"
#include "harness/check/rounds.h"

namespace locklab {

namespace {

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
    PerClient<std::optional<std::size_t>> takings;
    for (std::size_t i = 0; i < history.events.size(); ++i) {
        const Event& event = history.events[i];
        std::optional<std::size_t>& taking = takings[event.client];
        if (rounds.see(event)) taking.reset();
        if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            tells_commands_ = true;
            const bool other_key =
                !history.key.empty() && !ran->command.empty() && ran->command.key() != history.key;
            if (ran->effect.kind == KeyEffect::Kind::none || other_key) continue;
            const Sender sender = rounds.sender(event, *ran);
            const bool in_round = sender.round == rounds.now(event.client);
            if (in_round && takes(ran->effect, taking.has_value())) taking = changes_.size();
            changes_.push_back({i, event.client, sender.round, sender.phase, false});
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            claims_.push_back({i, rounds.now(event.client), taking});
            if (taking.has_value()) changes_[*taking].takes = true;
            taking.reset();
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
