#include "harness/check/outcome.h"

#include <algorithm>
#include <set>

#include "harness/check/inside.h"
#include "harness/check/lost_update.h"
#include "harness/check/outcome_waits.h"
#include "harness/check/overlap.h"
#include "harness/check/trespass.h"

namespace locklab {

namespace {

std::vector<Deed> sorted(const std::set<Deed>& deeds) { return {deeds.begin(), deeds.end()}; }

/// A client that overwrites a key and is granted the lock for that is no trespasser: if it is
/// inside together with its victim, that is reported as such.
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
    std::set<Deed> together;
    for (std::uint32_t i = 0; i < history.resources; ++i) {
        const std::vector<Inside> stays = stays_inside(about(history, ResourceId{i}));
        for (const Overlap& overlap : overlaps(stays, true, history.permits)) {
            together.insert({overlap.earlier.client, overlap.later.client});
        }
    }
    outcome.inside_together = sorted(together);
    outcome.lost_updates = lost_between(history, stays_inside(history));
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
    for (const ClientId client : outcome.failed) say(name(client) + " gets an error");
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
