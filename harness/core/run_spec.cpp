#include "harness/core/run_spec.h"

namespace locklab {

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
    spec.workload.wait = {WaitPolicy::Kind::jitter, options.retry};
    spec.workload.give_up = options.give_up;
    spec.command_timeout = spec.scale / 10;
    spec.patience = spec.scale * 10;
    return spec;
}

}  // namespace locklab
