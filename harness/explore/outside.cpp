#include "harness/explore/outside.h"

#include "harness/check/judge.h"
#include "harness/explore/sim_run.h"

namespace locklab {

namespace {

constexpr std::uint64_t kRuns = 2;

}  // namespace

std::string keeps_outside(const Algorithm& algorithm) {
    FaultBudget trouble;
    for (const HazardRow& row : kHazards) {
        const bool strikes = row.target == FaultTarget::client && row.hazard != kNoFault;
        if (strikes && applies(algorithm, row.hazard)) trouble[row.hazard] = 1;
    }
    for (const FaultBudget& budget : {FaultBudget(), trouble}) {
        SimRunner runner(make_run_spec(algorithm, algorithm.defaults, Duration::zero(), budget));
        for (std::uint64_t run = 0; run < kRuns; ++run) {
            const History history = runner.run_taped(1, run).history;
            if (history.differs_alone) return judge(history).why_unknown;
        }
    }
    return {};
}

}  // namespace locklab
