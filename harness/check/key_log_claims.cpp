// Which value a grant comes to rest on.

#include <algorithm>
#include <utility>

#include "harness/check/key_log.h"

namespace locklab {

void KeyLog::see(const Event& event, std::size_t place, const event::Granted& granted) {
    Client& client = clients_[event.client];
    const std::uint32_t round = rounds_.now(event.client);
    const Basis basis = base(client, event, granted, place);
    const bool keeps_some = std::any_of(client.taking.begin(), client.taking.end(),
                                        [](const Taking& t) { return !t.given_back; });
    if (keeps_some) std::erase_if(client.taking, [](const Taking& t) { return t.given_back; });
    std::optional<std::size_t> last;
    for (const Taking& taking : client.taking) {
        KeyChange& taken = changes_[taking.place];
        if (basis == Basis::found) taken.found = true;
        if (basis == Basis::written || basis == Basis::elsewhere) taken.takes = true;
        taken.beside = std::exchange(last, taking.place);
        if (basis == Basis::written) take_from_finders(taken.written, granted.token.text);
    }
    Claim claim{place,
                event.at,
                round,
                last,
                basis,
                granted.token.text,
                granted.lease,
                event.client,
                granted.grant,
                granted.fence,
                granted.mode,
                granted.left,
                client.try_began,
                client.held_round == round,
                client.is_unsure};
    const auto before = claims_of_.find(round);
    if (before != claims_of_.end()) claim.same_round = before->second;
    claims_of_[round] = claims_.size();
    client.last_claim = claims_.size();
    claims_.push_back(std::move(claim));
    client.held_round = round;
    client.held.swap(client.taking);
    client.taking.clear();
}

Basis KeyLog::base(Client& client, const Event& event, const event::Granted& granted,
                   std::size_t place) {
    const auto is_other = [this](const Taking& t) { return changes_[t.place].key != 0; };
    if (!std::ranges::all_of(client.taking, is_other)) {
        std::erase_if(client.taking, is_other);
        return Basis::written;
    }
    const auto keeps = [&] {
        return std::ranges::any_of(client.held, [&](const Taking& taking) {
            const KeyChange& taken = changes_[taking.place];
            const Place* const there = place_of(taken.node, taken.key);
            return there != nullptr && standing(*there, event.at, place) == taken.written;
        });
    };
    const Basis last = client.last_claim ? claims_[*client.last_claim].basis : Basis::nothing;
    // It takes the lock again, and counts that itself; or it kept its key beyond its last release.
    if (client.held_round == rounds_.now(event.client)) {
        client.taking.swap(client.held);
        return last;
    }
    const bool same_token =
        client.last_claim && claims_[*client.last_claim].token == granted.token.text;
    const bool keeps_it = same_token && keeps();
    if (keeps_it) {
        client.taking.swap(client.held);
        return last == Basis::elsewhere ? last : Basis::found;
    }
    if (!client.is_unsure && finds_value(client, event, granted.token.text, place)) {
        return Basis::found;
    }
    if (!client.taking.empty()) return Basis::elsewhere;
    const bool remembers = same_token && !granted.token.text.empty() && !client.held.empty() &&
                           last != Basis::elsewhere;
    if (!remembers) return Basis::nothing;
    client.taking.swap(client.held);
    return Basis::remembered;
}

/// With one server: the value in the lock's key, if this client wrote it in an earlier round, if no
/// other grant rests on it, or if it has this grant's token. If another client wrote it, this
/// client must have asked for it.
bool KeyLog::finds_value(Client& client, const Event& event, const std::string& token,
                         std::size_t place) {
    const auto is_lock_key = [](const Place& there) { return there.key == 0; };
    if (std::ranges::count_if(places_, is_lock_key) != 1) return false;
    const auto written = standing(*std::ranges::find_if(places_, is_lock_key), event.at, place);
    if (!written) return false;
    const KeyChange& value = changes_[*written];
    bool is_anothers = value.takes && value.client != event.client;
    for (auto claim = claims_.rbegin(); claim != claims_.rend(); ++claim) {
        if (claim->granted < value.event) break;
        const bool same = claim->taking && changes_[*claim->taking].written == *written;
        if (!same || claim->client == event.client) continue;
        if (claim->token != token || token.empty()) return false;
        is_anothers = false;
    }
    const bool is_written_by_another = value.client != event.client;
    if (is_anothers || (is_written_by_another && !client.has_asked)) return false;
    client.taking.assign(1, Taking{*written});
    return true;
}

void KeyLog::take_from_finders(std::size_t written, const std::string& token) {
    for (auto claim = claims_.rbegin(); claim != claims_.rend(); ++claim) {
        if (claim->granted < changes_[written].event) break;
        const bool found = claim->basis == Basis::found && claim->taking == written;
        if (!found || (claim->token == token && !token.empty())) continue;
        claim->taking.reset();
        claim->basis = Basis::nothing;
    }
}

std::optional<std::uint32_t> KeyLog::key_of(const event::Fault& fault) const {
    if (row_of(fault.hazard).loss != FaultLoss::key) return std::nullopt;
    if (fault.key.empty() || fault.key == key_) return 0;
    // Nobody has changed it, or nobody can: then no grant rests on it.
    const auto known = std::ranges::find(other_keys_, fault.key);
    return static_cast<std::uint32_t>(known - other_keys_.begin()) + 1;
}

const KeyLog::Place* KeyLog::place_of(NodeId node, std::uint32_t key) const {
    const auto there = std::ranges::find_if(
        places_, [&](const Place& p) { return p.node == node && p.key == key; });
    return there == places_.end() ? nullptr : &*there;
}

std::optional<std::size_t> KeyLog::standing(const Place& there, Instant now,
                                            std::size_t place) const {
    const KeyChange& last = changes_[there.last];
    if (last.effect.kind == KeyEffect::Kind::deleted) return std::nullopt;
    const Duration ttl = last.effect.ttl;
    const bool ran_out = ttl != Duration::zero() && now >= last.at + ttl;
    if (ran_out || fault(kLosesData, there.node, there.key, last.event, place) != nullptr) {
        return std::nullopt;
    }
    return last.written;
}

}  // namespace locklab
