// Cells of live campaigns, run together, in rounds, until each has shown what is claimed of it.
#pragma once

#include <string>
#include <vector>

#include "harness/campaign/live_campaign.h"

namespace locklab {

enum class Claimed : std::uint8_t { holds, breaks };

struct LiveClaim {
    const Algorithm* algorithm = nullptr;
    FaultBudget budget;
    Claimed claim = Claimed::holds;
};

struct ClaimedCell {
    LiveClaim claimed;
    LiveCell live;           ///< of the last round
    std::uint64_t runs = 0;  ///< undisturbed ones, of all rounds
    FaultBudget strikes;     ///< how often each fault struck in them
    bool decided = false;

    std::string name() const;
    /// Whether every fault of the budget struck.
    bool was_struck() const;
};

/// Fails the test where a claim is not met, or was not seen to be. A hazard that never strikes
/// decides nothing, for it would be vacuous; nor do runs that a machine that was too slow
/// disturbed.
std::vector<ClaimedCell> run_claims(const std::vector<LiveClaim>& claims);

}  // namespace locklab
