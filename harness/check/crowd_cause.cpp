#include "harness/check/crowd_cause.h"

#include <algorithm>

namespace locklab {

Cause cause_of_crowd(const KeyLog& log, const Claim& first, const Claim& second) {
    const auto struck = [&](HazardSet hazards) {
        return std::ranges::any_of(log.faults(), [&](const Struck& fault) {
            return hazards.contains(fault.hazard) && fault.event > first.began &&
                   fault.event < second.granted;
        });
    };
    if (log.failed_over(second.granted)) return Cause::failover;
    if (struck(kLosesData)) return Cause::lost_data;
    const bool ends = first.lease > Duration::zero() && !log.renews();
    if (ends && first.told + first.lease <= second.told) return Cause::expired_while_held;
    const bool wrong_clock = struck(kServerClocks) ||
                             log.struck(kWallClocks, first.client, second.granted) ||
                             log.struck(kWallClocks, second.client, second.granted);
    if (wrong_clock) return Cause::clock;
    return log.renews() ? Cause::unexplained : Cause::miscounted;
}

}  // namespace locklab
