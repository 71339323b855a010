#include "harness/check/token_order.h"

#include <algorithm>

namespace locklab {

namespace {

/// The highest token told up to each place of the log, since tokens last went down.
class Highest {
public:
    /// Call with places in order.
    void add(std::size_t place, const Claim& claim, bool went_down) {
        const bool is_it = rows_.empty() || went_down || claim.fence >= rows_.back().claim->fence;
        rows_.push_back({place, is_it ? &claim : rows_.back().claim});
    }
    /// Null: no grant came before the place.
    const Claim* before(std::size_t place) const {
        const auto past = std::ranges::lower_bound(rows_, place, {}, &Row::place);
        return past == rows_.begin() ? nullptr : std::prev(past)->claim;
    }

private:
    struct Row {
        std::size_t place;
        const Claim* claim;
    };
    std::vector<Row> rows_;
};

/// A client that gets its own token again, with no grant in between, does no harm.
bool is_stale(const Claim& claim, const Claim* before) {
    if (before == nullptr || claim.fence > before->fence) return false;
    return claim.fence < before->fence || claim.client != before->client;
}

/// From when on the client may have the lock.
std::size_t taken_at(const KeyLog& log, const Claim& claim) {
    if (!log.is_exact() || !claim.is_on_lock_key()) return claim.began;
    const KeyChange& change = log.changes()[*claim.taking];
    return change.beside ? claim.began : change.event;
}

Cause cause_of(const KeyLog& log, const Claim& before, const Claim& stale) {
    if (log.failed_over(stale.granted)) return Cause::failover;
    const bool lost = std::ranges::any_of(log.faults(), [&](const Struck& fault) {
        // Also an eviction may take the counter.
        return kLosesData.contains(fault.hazard) && fault.event > before.began &&
               fault.event < stale.granted;
    });
    return lost ? Cause::lost_data : Cause::old_token;
}

}  // namespace

std::vector<StaleToken> stale_tokens(const KeyLog& log) {
    std::vector<StaleToken> found;
    Highest told;
    for (const Claim& claim : log.claims()) {
        const bool counts = claim.fence != 0 && !claim.again && claim.mode == Mode::alone;
        if (!counts) continue;
        const Claim* before = told.before(taken_at(log, claim));
        const bool stale = is_stale(claim, before);
        if (stale) {
            found.push_back({claim.granted, claim.grant, claim.fence, before->grant, before->fence,
                             claim.told, claim.client, cause_of(log, *before, claim)});
        }
        told.add(claim.granted, claim, stale);
    }
    return found;
}

}  // namespace locklab
