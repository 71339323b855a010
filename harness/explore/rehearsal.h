// What simulated runs show of a lock before any proof: which commands it sends, and how many of
// which faults that takes. A proof under some faults should have seen it send what these faults can
// lead to: for example, a GET that checks after a lost reply is not sent unless a reply is lost.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/core/fault_budget.h"
#include "harness/core/lock.h"
#include "harness/explore/coverage.h"

namespace locklab {

class Rehearsal {
public:
    /// Why no search of the lock shows anything; empty: no reason.
    std::string why_unknown;

    /// Records what was seen while these faults might strike. True if it was never seen before.
    bool add(const SentCommand& command, const FaultBudget& budget);
    bool add(const AnsweredCommand& command, const FaultBudget& budget);
    /// What a proof under these faults should have seen sent, and answered.
    std::set<SentCommand> sent_under(const FaultBudget& faults) const;
    std::set<AnsweredCommand> answered_under(const FaultBudget& faults) const;

private:
    template <class What>
    using Seen = std::map<What, std::vector<FaultBudget>>;  ///< seen under each of these sets

    Seen<SentCommand> sent_;
    Seen<AnsweredCommand> answered_;
};

/// Runs the lock without faults, and under each hazard alone.
Rehearsal rehearse(const Algorithm& algorithm);

}  // namespace locklab
