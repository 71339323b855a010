#include "harness/check/lock_judge.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/check/overlap.h"

namespace locklab {

void LockFindings::add(LockFindings&& other) {
    std::vector<Violation> all;
    std::ranges::merge(violations, other.violations, std::back_inserter(all), {}, &Violation::event,
                       &Violation::event);
    violations = std::move(all);
    only_counted += other.only_counted;
    overlaps += other.overlaps;
    lost_updates += other.lost_updates;
    fence_inversions += other.fence_inversions;
    grants_in_overlap += other.grants_in_overlap;
    for (const CauseRow& row : kCauses) causes[row.cause] += other.causes[row.cause];
    register_jumps += other.register_jumps;
    if (!first_jump) first_jump = other.first_jump;
    writes.writes += other.writes.writes;
    writes.erased += other.writes.erased;
    uncertain_effects += other.uncertain_effects;
    notices.add(other.notices);
    refusals.add(other.refusals);
    late_grants.add(other.late_grants);
    long_calls.add(other.long_calls);
    left_keys.add(other.left_keys);
    deletions.add(other.deletions);
    fenced_grants += other.fenced_grants;
    liveness.add(std::move(other.liveness));
}

LockJudge::LockJudge(const HistoryHead& head, ResourceId lock)
    : lock_(lock),
      in_order_(head.orders_instants()),
      permits_(head.permits),
      log_(head),
      liveness_(head),
      notices_(head.tells_within),
      refusals_(head),
      long_calls_(head.answers_within) {}

void LockJudge::see(const Event& event, std::size_t place) {
    log_.see(event, place);
    stays_.see(event, place);
    register_.see(event, place);
    fences_.see(event, place);
    liveness_.see(event);
    notices_.see(event);
    long_calls_.see(event);
    left_keys_.see(event, place);
    trespasses_.see(event, place);
    if (permits_ == 1) refusals_.see(event, place);
}

LockFindings LockJudge::end(Instant at, std::size_t places, Duration patience) {
    LockFindings found;
    std::vector<Inside> stays = stays_.end(at, places);
    for (Inside& stay : stays) log_.end_at_release(stay);
    const Overlaps pairs = find_overlaps(stays, in_order_, kMostOverlaps, permits_);
    found.overlaps = pairs.count;
    found.lost_updates = register_.lost().size();
    const std::vector<StaleToken> stale = stale_tokens(log_);
    found.fence_inversions = fences_.found().size() + stale.size();
    found.grants_in_overlap = pairs.grants;
    found.violations = violations_of(log_, pairs, register_.lost(), fences_.found(), stale);
    for (Violation& violation : found.violations) {
        violation.lock = lock_;
        if (violation.counts) ++found.causes[violation.cause];
    }
    const std::uint64_t all = found.overlaps + found.lost_updates + found.fence_inversions;
    found.only_counted = all - found.violations.size();
    found.register_jumps = register_.jumps();
    found.first_jump = register_.first_jump();
    found.writes = register_.writes();
    found.uncertain_effects = log_.uncertain();
    found.notices = notices_.end(log_, stays);
    found.refusals = refusals_.found();
    found.late_grants = late_grants(log_);
    found.long_calls = long_calls_.end(at);
    found.left_keys = left_keys_.end(log_, at);
    found.deletions = deletions_among(trespasses_.end(log_), log_);
    found.fenced_grants = fences_.tokens();
    found.liveness = liveness_.end(at, patience);
    return found;
}

}  // namespace locklab
