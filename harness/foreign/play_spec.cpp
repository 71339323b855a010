#include "harness/foreign/play_spec.h"

namespace locklab {

namespace {

/// Of a lock that renews jobs may be longer than its TTL: a renewal that is lost is then missed,
/// and there is time for the next one. Each may be left earlier.
constexpr int kRenewedJobPercent = 150;
/// A job whose worker is gone is given to another after two looks, each a TTL after the other.
constexpr int kJobsFaultPercent = 330;
constexpr std::uint32_t kJobsAttempts = 14;
/// A command is given up after this part of a TTL, where nobody else's time-out is in use.
constexpr int kTimeoutsInATtl = 5;

}  // namespace

PlaySpec play_of(const Subject& subject, const FaultBudget& faults, std::uint64_t seed) {
    PlaySpec spec;
    spec.faults = faults;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / kTimeoutsInATtl;
    spec.seed = seed;
    spec.nodes = subject.row().topology().masters;
    if (subject.row().renews) spec.job_percent = kRenewedJobPercent;
    if (subject.grants_job()) {
        spec.fault_percent = kJobsFaultPercent;
        spec.attempts = kJobsAttempts;
    }
    return spec;
}

PlaySpec with_seed(PlaySpec spec, std::uint64_t seed) {
    spec.seed = seed;
    return spec;
}

}  // namespace locklab
