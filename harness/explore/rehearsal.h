// What simulated runs show of a lock before anything is proved of it: which commands it sends, and
// how often which hazard had to strike for that. What a proof under some faults should have seen it
// send is what these faults can lead to: a GET that looks into a lost reply is not sent without
// one.
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
    /// Why no search of the lock shows anything; empty: nothing speaks against it.
    std::string why_unknown;

    /// Takes down what was seen where these faults might strike; whether it was never seen before.
    bool add(const SentCommand& command, const FaultBudget& budget);
    bool add(const AnsweredCommand& command, const FaultBudget& budget);
    /// What a proof under these faults should have seen it send, and be answered.
    std::set<SentCommand> sent_under(const FaultBudget& faults) const;
    std::set<AnsweredCommand> answered_under(const FaultBudget& faults) const;

private:
    template <class What>
    using Seen = std::map<What, std::vector<FaultBudget>>;  ///< under each of these

    Seen<SentCommand> sent_;
    Seen<AnsweredCommand> answered_;
};

/// Runs it without a fault, and under each hazard alone.
Rehearsal rehearse(const Algorithm& algorithm);

}  // namespace locklab
