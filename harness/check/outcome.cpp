#include "harness/check/outcome.h"

#include <algorithm>
#include <set>

#include "harness/check/inside.h"
#include "harness/check/liveness.h"
#include "harness/check/lost_update.h"
#include "harness/check/overlap.h"
#include "harness/check/per_client.h"
#include "harness/check/trespass.h"

namespace locklab {

namespace {

std::vector<Deed> sorted(const std::set<Deed>& deeds) { return {deeds.begin(), deeds.end()}; }

/// Who overwrites a key and is granted the lock for that is no trespasser: it may be inside beside
/// its victim, which is told as that.
void find_foreign_hands(const History& history, Outcome& outcome) {
    std::set<Deed> deleted;
    std::set<Deed> extended;
    for (const Trespass& trespass : trespasses(history)) {
        const Deed deed{trespass.victim, trespass.by};
        if (trespass.did == KeyEffect::Kind::deleted) {
            deleted.insert(deed);
        } else if (!trespass.takes) {
            extended.insert(deed);
        }
    }
    outcome.deleted = sorted(deleted);
    outcome.extended = sorted(extended);
}

/// Who is refused although nobody alive holds the lock: since when is that so?
class OrphanWaits {
public:
    explicit OrphanWaits(Duration long_wait) : long_wait_(long_wait) {}

    void see(const Event& event, std::map<ClientId, StuckKind>& stuck) {
        Client& client = clients_[event.client];
        if (std::holds_alternative<event::Refused>(event.detail) && holders_ == 0) {
            const Duration waited = event.at - std::max(client.wants_since, free_since_);
            if (waited >= long_wait_) stuck[event.client] = StuckKind::until_ttl;
        } else if (std::holds_alternative<event::Wants>(event.detail)) {
            client.wants_since = event.at;
            hold(client, false, event.at);
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            hold(client, true, event.at);
        } else if (std::holds_alternative<event::Released>(event.detail) ||
                   std::holds_alternative<event::Finished>(event.detail) || is_crash(event)) {
            hold(client, false, event.at);
        }
    }

private:
    struct Client {
        bool holds = false;
        Instant wants_since;
    };
    void hold(Client& client, bool holds, Instant at) {
        if (client.holds == holds) return;
        client.holds = holds;
        holds ? ++holders_ : --holders_;
        if (holders_ == 0) free_since_ = at;
    }

    Duration long_wait_;
    PerClient<Client> clients_;
    std::uint32_t holders_ = 0;
    Instant free_since_;
};

void find_waiting(const History& history, Duration ttl, Outcome& outcome) {
    OrphanWaits orphan_waits(ttl / 2);
    for (const Event& event : history.events) orphan_waits.see(event, outcome.stuck);
    for (const ClientId client : check_liveness(history).waiting) {
        outcome.stuck[client] = StuckKind::for_ever;
    }
    PerClient<std::uint8_t> wants;
    for (const Event& event : history.events) {
        if (std::holds_alternative<event::Wants>(event.detail)) wants[event.client] = 1;
        const bool over = std::holds_alternative<event::Granted>(event.detail) || is_crash(event);
        if (over) wants[event.client] = 0;
    }
    for (std::uint32_t i = 0; i < wants.values().size(); ++i) {
        const bool waits = wants.values()[i] == 1 && !outcome.stuck.contains(ClientId{i});
        if (waits) outcome.kept_out.push_back(ClientId{i});
    }
}

std::vector<Deed> lost_between(const History& history, const std::vector<Inside>& stays) {
    const auto client_of = [&](std::uint64_t grant) { return stays[grant - 1].client; };
    std::set<Deed> lost;
    for (const LostUpdate& update : lost_updates(history)) {
        if (update.victim == 0) continue;
        lost.insert({client_of(update.victim), client_of(update.grant)});
    }
    return sorted(lost);
}

}  // namespace

Outcome outcome_of(const History& history, Duration ttl) {
    Outcome outcome;
    const std::vector<Inside> stays = stays_inside(history);
    std::set<Deed> together;
    for (const Overlap& overlap : overlaps(stays, true, history.permits)) {
        together.insert({overlap.earlier.client, overlap.later.client});
    }
    outcome.inside_together = sorted(together);
    outcome.lost_updates = lost_between(history, stays);
    find_foreign_hands(history, outcome);
    find_waiting(history, ttl, outcome);
    return outcome;
}

std::string in_words(const Outcome& outcome, std::span<const std::string> names) {
    std::string words;
    const auto say = [&](const std::string& what) { words += (words.empty() ? "" : "; ") + what; };
    const auto name = [&](ClientId client) { return names[client.value]; };
    for (const Deed& pair : outcome.inside_together) {
        say(name(pair.victim) + " and " + name(pair.by) + " inside together");
    }
    for (const auto& [client, kind] : outcome.stuck) {
        say(name(client) +
            (kind == StuckKind::for_ever ? " stuck for ever" : " stuck until the TTL"));
    }
    for (const ClientId client : outcome.kept_out) say(name(client) + " kept out");
    for (const Deed& deed : outcome.deleted) {
        say(name(deed.victim) + "'s key deleted by " + name(deed.by));
    }
    for (const Deed& deed : outcome.extended) {
        say(name(deed.victim) + "'s key extended by " + name(deed.by));
    }
    for (const Deed& deed : outcome.lost_updates) {
        say(name(deed.victim) + "'s update lost to " + name(deed.by));
    }
    return words.empty() ? "nothing goes wrong" : words;
}

bool is_harmless(const Outcome& outcome) { return outcome == Outcome(); }

}  // namespace locklab
