#include "harness/explore/rehearsal.h"

#include <algorithm>

#include "harness/check/judge.h"
#include "harness/explore/sim_run.h"

namespace locklab {

namespace {

/// Runs without a fault, enough to show what is sent in rare cases: if such a command is first seen
/// beside some fault, that fault counts as its cause.
constexpr std::uint64_t kCalmRuns = 16;
/// Runs under each hazard, which may strike twice.
constexpr std::uint64_t kRuns = 3;
/// Runs after something new was sent: to see whether one strike of that hazard suffices.
constexpr std::uint64_t kRunsOfOne = 12;

class Runs {
public:
    Runs(const Algorithm& algorithm, Rehearsal& seen) : algorithm_(algorithm), seen_(seen) {}

    /// True if anything was sent, or answered, that was new.
    bool make(const FaultBudget& budget, std::uint64_t runs) {
        SimRunner runner(make_run_spec(algorithm_, algorithm_.defaults, Duration::zero(), budget));
        const FaultBudget reason = reason_of(budget);
        bool is_new = false;
        for (std::uint64_t run = 0; run < runs; ++run) {
            const History history = runner.run_taped(1, run).history;
            if (history.differs_alone) seen_.why_unknown = judge(history).why_unknown;
            for (const Event& event : history.events) {
                is_new = add(event, reason) || is_new;
            }
        }
        return is_new;
    }

private:
    /// To a lock that renews, a long job is no fault: its searches have jobs of any length.
    FaultBudget reason_of(FaultBudget budget) const {
        for (const HazardRow& row : kHazards) {
            if (algorithm_.renews && row.moment == FaultMoment::with_job) budget[row.hazard] = 0;
        }
        return budget;
    }
    bool add(const Event& event, const FaultBudget& budget) {
        if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
            return ran->node != kOracle && seen_.add(answered(ran->command, ran->reply), budget);
        }
        const auto* sent = std::get_if<event::Sent>(&event.detail);
        return sent != nullptr && sent->node != kOracle &&
               seen_.add(SentCommand{shape_of(sent->command), event.phase}, budget);
    }

    const Algorithm& algorithm_;
    Rehearsal& seen_;
};

bool is_within(const FaultBudget& part, const FaultBudget& whole) {
    return std::ranges::all_of(kHazards, [&](const HazardRow& row) {
        return row.hazard == kNoFault || part[row.hazard] <= whole[row.hazard];
    });
}

/// Keeps the smallest sets of faults under which `what` was seen.
template <class What>
bool note(std::map<What, std::vector<FaultBudget>>& seen, const What& what,
          const FaultBudget& budget) {
    const auto [entry, is_new] = seen.try_emplace(what);
    std::vector<FaultBudget>& under = entry->second;
    const bool is_known = std::ranges::any_of(
        under, [&](const FaultBudget& known) { return is_within(known, budget); });
    if (!is_known) under.push_back(budget);
    return is_new;
}

template <class What>
std::set<What> seen_under(const FaultBudget& faults,
                          const std::map<What, std::vector<FaultBudget>>& seen) {
    std::set<What> reached;
    for (const auto& [what, under] : seen) {
        const bool is_reached = std::ranges::any_of(
            under, [&](const FaultBudget& budget) { return is_within(budget, faults); });
        if (is_reached) reached.insert(what);
    }
    return reached;
}

}  // namespace

bool Rehearsal::add(const SentCommand& command, const FaultBudget& budget) {
    return note(sent_, command, budget);
}

bool Rehearsal::add(const AnsweredCommand& command, const FaultBudget& budget) {
    return note(answered_, command, budget);
}

std::set<SentCommand> Rehearsal::sent_under(const FaultBudget& faults) const {
    return seen_under(faults, sent_);
}

std::set<AnsweredCommand> Rehearsal::answered_under(const FaultBudget& faults) const {
    return seen_under(faults, answered_);
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
