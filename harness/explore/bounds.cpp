#include "harness/explore/bounds.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harness/core/limits.h"
#include "harness/explore/evicted_keys.h"

namespace locklab {

namespace {

constexpr Duration kTtl = std::chrono::milliseconds(1200);
/// Stands for one second of an article's ten-second TTL; timestamps are counted in it.
constexpr Duration kClockUnit = std::chrono::milliseconds(100);
constexpr Duration kLeastWait = std::chrono::milliseconds(1);
constexpr std::uint32_t kNewcomersTries = 1'000'000;
constexpr int kNewcomersPauses = 12;

}  // namespace

Bounds newcomer_bounds(const Bounds& bounds) {
    Bounds patient = bounds;
    patient.attempts = kNewcomersTries;
    patient.rounds = 1;
    patient.wait = std::max<Duration>(bounds.wait / 8, kLeastWait);
    return patient;
}

Bounds returning_bounds(const Bounds& bounds) {
    Bounds returning = bounds;
    returning.waits_on = true;
    returning.wait = newcomer_bounds(bounds).wait;
    return returning;
}

Duration newcomer_patience(const Bounds& bounds) {
    return kNewcomersPauses * std::max(bounds.pause, longest_ttl(bounds.options, bounds.unequal));
}

void count_newcomers_move(std::uint32_t& moves) {
    if (++moves < kMostMoves) return;
    throw std::length_error("a newcomer made " + std::to_string(moves) +
                            " moves and its try comes to no end; such a lock is not searched, but "
                            "a campaign can judge it");
}

Duration Bounds::amount_of(Hazard hazard) const {
    switch (row_of(hazard).size) {
        case FaultSize::job: return slow_job;
        case FaultSize::pause:
        case FaultSize::cut:
        case FaultSize::hang: return pause;
        case FaultSize::delay: return delay;
        case FaultSize::reply_delay: return reply_delay();
        case FaultSize::clock: return clock;
        case FaultSize::outage: return outage;
        case FaultSize::none:
        case FaultSize::age:
        case FaultSize::takeover: break;
    }
    return Duration::zero();
}

void Bounds::set_faults(const FaultBudget& budget) {
    faults = budget;
    if (attempts_in_silence == 0 || !faults.silences()) return;
    attempts = std::min(attempts, attempts_in_silence);
}

RunShape Bounds::shape_for(const Algorithm& algorithm) const {
    RunShape shape;
    shape.algorithm = &algorithm;
    shape.options = options;
    shape.unequal = unequal;
    shape.clients = clients;
    shape.topology = topology();
    shape.command_timeout = timeout();
    return shape;
}

Bounds bounds_for(const Algorithm& algorithm) {
    Bounds bounds;
    bounds.servers = algorithm.topology().masters;
    EvictedKeys keys = evicted_keys(algorithm);
    bounds.keys = std::move(keys.names);
    bounds.why_unknown = std::move(keys.why_unknown);
    bounds.options = with_ttl(algorithm.defaults, kTtl);
    LockOptions& options = bounds.options;
    if (options.clock_unit >= std::chrono::seconds(1)) options.clock_unit = kClockUnit;
    bounds.job = kTtl / 4;
    bounds.wait = kTtl * 3 / 5;
    bounds.command_timeout = kTtl / 8;
    bounds.patient_timeout = kTtl * 2;
    bounds.slow_job = kTtl * 3 / 2;
    bounds.pause = kTtl * 3 / 2;
    bounds.delay = kTtl * 3 / 2;
    bounds.clock = kTtl * 3 / 2;
    if (algorithm.renews) {
        // Renewal is for jobs that outlive the lease: a job is long enough for two renewals, and
        // may end at any time before. Times that are multiples of each other give fewer states.
        bounds.job = std::max(kTtl * 3 / 2, 2 * options.renewal + kTtl / 4);
        bounds.wait = kTtl / 2;
        bounds.command_timeout = options.renewal / 2;
    }
    return bounds;
}

}  // namespace locklab
