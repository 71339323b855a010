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

    /// It was seen to send the command where these might strike.
    void add(const SentCommand& command, const FaultBudget& budget);
    bool has(const SentCommand& command) const { return seen_.contains(command); }
    /// What a proof under these faults should have seen it send.
    std::set<SentCommand> sent_under(const FaultBudget& faults) const;

private:
    std::map<SentCommand, std::vector<FaultBudget>> seen_;  ///< under each of these
};

/// Runs it without a fault, and under each hazard alone.
Rehearsal rehearse(const Algorithm& algorithm);

}  // namespace locklab
