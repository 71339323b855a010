#include "harness/core/run_spec.h"

#include <algorithm>

namespace locklab {

namespace {

/// No fault lasts longer than this many TTLs, and a job, its release and an expiry after it no
/// longer than kAtRest, twice over.
constexpr int kLongestFault = 3;
constexpr int kAtRest = 7;

/// Longer than whoever is only held up can take, however the faults add up: beyond it, stuck.
Duration patience_for(const FaultBudget& budget, Duration scale) {
    std::int64_t faults = 0;
    for (const HazardRow& row : kHazards) faults += budget[row.hazard];
    return scale * (kAtRest + kLongestFault * std::max(faults, std::int64_t{1}));
}

}  // namespace

RunSpec make_run_spec(const Algorithm& algorithm, const LockOptions& options, Duration stand_in,
                      const FaultBudget& budget) {
    RunSpec spec;
    spec.algorithm = &algorithm;
    spec.options = options;
    spec.budget = budget;
    if (stand_in != Duration::zero()) spec.scale = stand_in;
    if (options.ttl != Duration::zero()) spec.scale = options.ttl;
    spec.workload.job = {spec.scale / 100, spec.scale / 5};
    spec.workload.think = {Duration::zero(), spec.scale * 2 / 5};
    spec.workload.away = {spec.scale, spec.scale * 2};
    spec.workload.wait = {WaitPolicy::Kind::jitter, options.retry};
    spec.workload.give_up = options.give_up;
    if (algorithm.reentrant) spec.workload.takes_again = Workload::Again::sometimes;
    spec.command_timeout = spec.scale / 10;
    spec.patience = patience_for(budget, spec.scale);
    return spec;
}

FaultScale fault_scale(const RunSpec& spec) {
    const bool reentrant = spec.workload.takes_again != Workload::Again::never;
    return {spec.clients, spec.scale, spec.algorithm->renews, reentrant};
}

}  // namespace locklab
