#include "harness/check/token_order.h"

#include <algorithm>
#include <set>

namespace locklab {

namespace {

/// The highest token at each place of the log, since tokens last went down.
class Highest {
public:
    /// Places come in order.
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

/// Who gets its own token again, nobody having had the lock in between, harms nobody.
bool is_stale(const Claim& claim, const Claim* before) {
    if (before == nullptr || claim.fence > before->fence) return false;
    return claim.fence < before->fence || claim.client != before->client;
}

/// The command that took the lock, where there was one.
const KeyChange* taking(const KeyLog& log, const Claim& claim) {
    if (!log.is_exact() || !claim.taking) return nullptr;
    const KeyChange& change = log.changes()[*claim.taking];
    return change.beside ? nullptr : &change;
}

Cause cause_of(const KeyLog& log, const Claim& before, const Claim& stale) {
    if (log.failed_over(stale.granted)) return Cause::failover;
    const bool lost = std::ranges::any_of(log.faults(), [&](const Struck& fault) {
        return restarts_server(fault.hazard) && fault.event > before.began &&
               fault.event < stale.granted;
    });
    return lost ? Cause::lost_data : Cause::old_token;
}

}  // namespace

std::vector<StaleToken> stale_tokens(const KeyLog& log) {
    std::vector<const Claim*> told;
    for (const Claim& claim : log.claims()) {
        if (claim.fence != 0 && !claim.again) told.push_back(&claim);
    }
    std::vector<const Claim*> took;
    std::ranges::copy_if(told, std::back_inserter(took),
                         [&](const Claim* claim) { return taking(log, *claim) != nullptr; });
    const auto place_of = [&](const Claim* claim) { return taking(log, *claim)->event; };
    std::ranges::sort(took, {}, place_of);

    std::vector<StaleToken> found;
    std::set<const Claim*> stale;
    const auto look = [&](const Claim* claim, const Claim* before) {
        if (!is_stale(*claim, before)) return;
        stale.insert(claim);
        found.push_back({claim->granted, claim->grant, claim->fence, before->grant, before->fence,
                         claim->told, claim->client, cause_of(log, *before, *claim)});
    };
    Highest by_taking;
    for (const Claim* claim : took) {
        look(claim, by_taking.before(place_of(claim)));
        by_taking.add(place_of(claim), *claim, stale.contains(claim));
    }
    Highest by_telling;
    for (const Claim* claim : told) {
        if (taking(log, *claim) == nullptr) look(claim, by_telling.before(claim->began));
        by_telling.add(claim->granted, *claim, stale.contains(claim));
    }
    std::ranges::sort(found, {}, &StaleToken::event);
    return found;
}

}  // namespace locklab
