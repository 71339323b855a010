#include "harness/check/possession.h"

#include <algorithm>

namespace locklab {

namespace {

using Effect = KeyEffect::Kind;

}  // namespace

Possession::Possession(const KeyLog& log, const Claim& claim, std::size_t taking)
    : log_(log), claim_(claim), taking_(taking) {
    take(log.changes()[taking]);
}

std::optional<Instant> Possession::lost(const Inside& stay) {
    const auto changes = log_.changes();
    for (std::size_t i = taking_ + 1; i < changes.size(); ++i) {
        const KeyChange& change = changes[i];
        if (change.event >= stay.end) break;
        // After a failover the key is at both masters.
        const bool here = change.node == changes[taking_].node;
        const bool elsewhere = !here && !log_.failed_over(change.event);
        if (elsewhere || change.key != 0) continue;
        see_faults_before(change.event);
        see(change);
    }
    see_faults_before(stay.end);
    run_out_before(stay.until);
    return lost_;
}

void Possession::take(const KeyChange& change) {
    lost_.reset();
    set_deadline(change);
    seen_ = change.event;
}

void Possession::set_deadline(const KeyChange& change) {
    deadline_ = least_deadline_ = Instant::max();
    const Duration ttl = change.effect.ttl;
    if (ttl == Duration::zero()) return;
    deadline_ = change.at + ttl;
    least_deadline_ = log_.earliest(change) + ttl;
}

void Possession::lose(Instant at, Way way) {
    was_lost_ = true;
    if (!lost_ || way_ == Way::perhaps) way_ = way;
    if (!lost_) lost_ = at;
}

void Possession::run_out_before(Instant now) {
    if (!lost_ && deadline_ < now) lose(deadline_, Way::perhaps);
}

void Possession::see_faults_before(std::size_t place) {
    const KeyChange& taking = log_.changes()[taking_];
    while (const Struck* fault = log_.fault(kLosesData, taking.node, taking.key, seen_, place)) {
        run_out_before(fault->at);
        if (!lost_) lose(fault->at, Way::perhaps);
        seen_ = fault->event;
    }
}

void Possession::see(const KeyChange& change) {
    const bool own = change.round == claim_.round;
    // Live: the change may have run before the key was taken.
    const Instant taken = log_.changes()[taking_].at;
    if (!own && !log_.is_exact() && change.sent < taken) return;
    run_out_before(change.at);
    seen_ = std::max(seen_, change.event);
    switch (change.effect.kind) {
        case Effect::none: break;
        case Effect::created:
        case Effect::replaced:
            if (own) return take(change);
            lose(change.at, Way::overwritten);
            break;
        case Effect::extended:
            // The key was still there: its deadline depends on clocks, or a snapshot had the key.
            if (lost_ && way_ == Way::perhaps) lost_.reset();
            if (!lost_) set_deadline(change);
            break;
        case Effect::deleted: lose(change.at, Way::gone); break;
    }
}

}  // namespace locklab
