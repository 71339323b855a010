#include "harness/explore/rehearsal.h"

#include <algorithm>

#include "harness/check/judge.h"
#include "harness/explore/sim_run.h"

namespace locklab {

namespace {

/// Without a fault. What is sent in a rare case should be seen here, and not by chance beside some
/// fault, which would then count as its reason.
constexpr std::uint64_t kCalmRuns = 16;
/// Under each hazard, which may strike twice.
constexpr std::uint64_t kRuns = 3;
/// Where something new was sent then: whether that hazard need strike once only.
constexpr std::uint64_t kRunsOfOne = 12;

class Runs {
public:
    Runs(const Algorithm& algorithm, Rehearsal& seen) : algorithm_(algorithm), seen_(seen) {}

    /// Whether anything was sent that was not sent before.
    bool make(const FaultBudget& budget, std::uint64_t runs) {
        SimRunner runner(make_run_spec(algorithm_, algorithm_.defaults, Duration::zero(), budget));
        bool is_new = false;
        for (std::uint64_t run = 0; run < runs; ++run) {
            const History history = runner.run_taped(1, run).history;
            if (history.differs_alone) seen_.why_unknown = judge(history).why_unknown;
            for (const Event& event : history.events) {
                const auto* sent = std::get_if<event::Sent>(&event.detail);
                if (sent == nullptr || sent->node == kOracle) continue;
                const SentCommand command{shape_of(sent->command), event.phase};
                is_new = is_new || !seen_.has(command);
                seen_.add(command, budget);
            }
        }
        return is_new;
    }

private:
    const Algorithm& algorithm_;
    Rehearsal& seen_;
};

bool is_within(const FaultBudget& part, const FaultBudget& whole) {
    return std::ranges::all_of(kHazards, [&](const HazardRow& row) {
        return row.hazard == kNoFault || part[row.hazard] <= whole[row.hazard];
    });
}

}  // namespace

void Rehearsal::add(const SentCommand& command, const FaultBudget& budget) {
    std::vector<FaultBudget>& under = seen_[command];
    const bool is_known = std::ranges::any_of(
        under, [&](const FaultBudget& known) { return is_within(known, budget); });
    if (!is_known) under.push_back(budget);
}

std::set<SentCommand> Rehearsal::sent_under(const FaultBudget& faults) const {
    std::set<SentCommand> sent;
    for (const auto& [command, under] : seen_) {
        const bool is_reached = std::ranges::any_of(
            under, [&](const FaultBudget& budget) { return is_within(budget, faults); });
        if (is_reached) sent.insert(command);
    }
    return sent;
}

Rehearsal rehearse(const Algorithm& algorithm) {
    Rehearsal seen;
    Runs runs(algorithm, seen);
    runs.make(FaultBudget(), kCalmRuns);
    for (const HazardRow& row : kHazards) {
        if (row.hazard == kNoFault || !applies(algorithm, row.hazard)) continue;
        FaultBudget budget;
        budget[row.hazard] = std::min(2U, most_of(row.hazard));
        const bool is_new = runs.make(budget, kRuns);
        if (!is_new || budget[row.hazard] == 1) continue;
        budget[row.hazard] = 1;
        runs.make(budget, kRunsOfOne);
    }
    return seen;
}

}  // namespace locklab
