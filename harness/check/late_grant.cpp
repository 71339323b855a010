#include "harness/check/late_grant.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace locklab {

namespace {

constexpr Duration kTick = std::chrono::milliseconds(1);

/// Live: a command is answered after it has run, so this is the latest end of the validity.
std::optional<Instant> end_after(const KeyChange& change, const Claim& claim) {
    const Duration ttl = change.effect.ttl > Duration::zero() ? change.effect.ttl : claim.lease;
    if (ttl == Duration::zero()) return std::nullopt;
    return change.at + ttl;
}

/// The end at one server; nothing: it is not known to end.
std::optional<Instant> end_at_server(const KeyLog& log, const Claim& claim, std::size_t taking) {
    const auto changes = log.changes();
    const KeyChange& taken = changes[taking];
    std::optional<Instant> end = end_after(taken, claim);
    for (std::size_t i = taking + 1; i < changes.size(); ++i) {
        const KeyChange& change = changes[i];
        if (change.event >= claim.granted) break;
        const bool lasts =
            log.shows(taken, change) && change.effect.kind == KeyEffect::Kind::extended;
        if (lasts) end = end_after(change, claim);
    }
    return end;
}

/// The end at the last of its servers.
std::optional<Instant> end_everywhere(const KeyLog& log, const Claim& claim) {
    std::optional<Instant> last;
    for (auto taking = claim.taking; taking; taking = log.changes()[*taking].beside) {
        const std::optional<Instant> end = end_at_server(log, claim, *taking);
        if (!end) return std::nullopt;
        last = std::max(last, end);
    }
    return last;
}

}  // namespace

void LateGrants::add(const LateGrants& other) {
    found += other.found;
    of += other.of;
    longest = std::max(longest, other.longest);
}

LateGrants late_grants(const KeyLog& log) {
    LateGrants grants;
    for (const Claim& claim : log.claims()) {
        if (claim.left && *claim.left <= Duration::zero()) {
            ++grants.of;
            ++grants.found;
            grants.longest = std::max<Duration>(grants.longest, -*claim.left);
            continue;
        }
        if (!claim.is_on_lock_key() || claim.is_unsure) continue;
        const std::optional<Instant> end = end_everywhere(log, claim);
        if (!end) continue;
        ++grants.of;
        if (claim.told <= *end + kTick) continue;
        ++grants.found;
        grants.longest = std::max<Duration>(grants.longest, claim.told - *end);
    }
    return grants;
}

}  // namespace locklab
