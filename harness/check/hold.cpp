#include "harness/check/hold.h"

#include <algorithm>

namespace locklab {

namespace {

/// Redis counts deadlines in whole milliseconds.
constexpr Duration kRedisTick = std::chrono::milliseconds(1);

}  // namespace

Hold::Hold(const KeyLog& log, const Claim& claim, const KeyChange& taking)
    : log_(log), claim_(claim), round_(taking.round) {
    taken(taking);
}

bool Hold::is_past(const Deadline& deadline, Instant now) {
    return deadline.has_value() && now + kRedisTick >= *deadline;
}

Hold::Deadline Hold::end_after(const KeyChange& change) const {
    const Duration ttl = change.effect.ttl;
    if (ttl == Duration::zero()) return std::nullopt;
    return log_.earliest(change) + ttl;
}

void Hold::taken(const KeyChange& change) {
    key_end_ = own_end_ = end_after(change);
    overwritten_ = false;
    // A client computes the deadline that it writes into the key when it sends.
    const Duration lease = claim_.lease;
    lease_end_.reset();
    if (lease > Duration::zero()) lease_end_ = change.sent + lease;
    lease_begins_ = &change;
    seen_ = change.event;
}

void Hold::extended(const KeyChange& change) {
    // After a restart, another client may find an older value, which came back.
    const bool is_seen = is_own(change) || !lost_before(change);
    key_end_ = end_after(change);
    if (is_own(change)) {
        lease_begins_ = &change;
        own_end_ = lease_end_ = key_end_;
        // The renewal promises the whole lease, even if a wrong clock gave the key less.
        const bool sooner = key_end_ && claim_.lease > Duration::zero();
        if (sooner) lease_end_ = std::max(*key_end_, change.sent + claim_.lease);
    }
    if (is_seen) seen_ = change.event;
}

void Hold::overwritten(const KeyChange& change) {
    key_end_ = end_after(change);
    overwritten_ = true;
    seen_ = change.event;
}

bool Hold::is_told_late(Instant now) const {
    const KeyChange& begins = *lease_begins_;
    const Duration lease = begins.effect.ttl != Duration::zero() ? begins.effect.ttl : claim_.lease;
    const bool renewed = begins.event > claim_.granted;
    return !renewed && log_.told_late(claim_, begins) && now < claim_.told + lease;
}

bool Hold::lost_before(const KeyChange& change) const {
    const Struck* fault = log_.fault(kLosesData, change.node, change.key, seen_, change.event);
    return fault != nullptr && !key_past(fault->at);
}

}  // namespace locklab
