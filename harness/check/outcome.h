// What came of a play, told from its history alone: all that the expectation of a scenario can
// speak of.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/core/history.h"

namespace locklab {

/// Two clients in a sentence: who suffered it, by whose doing. They may be one and the same.
struct Deed {
    ClientId victim;
    ClientId by;
    auto operator<=>(const Deed&) const = default;
};

enum class StuckKind : std::uint8_t { until_ttl, for_ever };

/// What came of a play, as far as expectations speak of it. Everything is sorted, once each.
struct Outcome {
    /// Pairs that were inside at the same time; the later one is `by`.
    std::vector<Deed> inside_together;
    /// Who was refused a lock that nobody alive held, and had waited for it since: for ever, or
    /// for half a TTL and more before it got it.
    std::map<ClientId, StuckKind> stuck;
    /// Who wanted the lock, lived, and never got it before the end, though not stuck.
    std::vector<ClientId> kept_out;
    /// Who was answered with an error, so that its try, its release or its renewal did nothing.
    std::vector<ClientId> failed;
    /// Whose key was deleted while it was inside or on its way out, and who sent the command.
    std::vector<Deed> deleted;
    /// Whose key was given another deadline or time to live meanwhile, and who sent the command.
    std::vector<Deed> extended;
    /// Whose write was overwritten unread, and by whom.
    std::vector<Deed> lost_updates;
    bool operator==(const Outcome&) const = default;
};

/// `ttl` is what half a TTL is measured in.
Outcome outcome_of(const History& history, Duration ttl);

/// "A and B inside together; B's key deleted by A; B stuck for ever", or "nothing goes wrong".
/// `names` are those of the clients.
std::string in_words(const Outcome& outcome, std::span<const std::string> names);

bool is_harmless(const Outcome& outcome);

}  // namespace locklab
