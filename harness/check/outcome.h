// What happened in one run of a scenario, told from its history alone: all that the scenario's
// expectation can speak of.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// Two clients: the victim, and the one that did it. They may be the same.
struct Deed {
    ClientId victim;
    ClientId by;
    auto operator<=>(const Deed&) const = default;
};

enum class StuckKind : std::uint8_t { until_ttl, for_ever };

/// What happened, as far as expectations speak of it. Each list is sorted, without repetitions.
struct Outcome {
    /// Pairs that were inside at the same time; the later one is `by`.
    std::vector<Deed> inside_together;
    /// Clients that were refused a lock that no live client held, and that waited for it since: for
    /// ever, or for at least half a TTL before they got it.
    std::map<ClientId, StuckKind> stuck;
    /// Live clients that wanted the lock, and never got it before the end, though not stuck.
    std::vector<ClientId> kept_out;
    /// Clients that got an error, so that a try, release or renewal did nothing.
    std::vector<ClientId> failed;
    /// Clients whose key was deleted while they were inside or leaving, and the sender of the
    /// command.
    std::vector<Deed> deleted;
    /// Clients whose key got another deadline or time to live meanwhile, and the sender of the
    /// command.
    std::vector<Deed> extended;
    /// Clients whose write was overwritten unread, and by which client.
    std::vector<Deed> lost_updates;
    bool operator==(const Outcome&) const = default;
};

/// `ttl`: the lock's TTL, or the time that stands for one.
Outcome outcome_of(const History& history, Duration ttl);

/// "A and B inside together; B's key deleted by A; B stuck for ever", or "nothing goes wrong".
/// `names`: the clients' names.
std::string in_words(const Outcome& outcome, std::span<const std::string> names);

bool is_harmless(const Outcome& outcome);

}  // namespace locklab
