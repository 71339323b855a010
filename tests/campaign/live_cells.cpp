#include "tests/campaign/live_cells.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/fault_text.h"
#include "harness/live/live_server.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRunsThatHold = 5;
#else
constexpr std::uint64_t kRunsThatHold = 20;
#endif
/// Runs of a cell at a time. What is said to break is run again until it does.
constexpr std::uint64_t kRound = 20;
/// The rarest break looked for here comes in one run of 15: so many rounds miss it once in 10^9.
constexpr int kMostRounds = 15;

LiveCell fresh(const LiveClaim& claim) {
    CampaignOptions options = suite_options(WorldKind::live, Hazard::contention);
    options.budget = claim.budget;
    return LiveCell(spec_for(*claim.algorithm, options), kRound);
}

/// Takes what a round showed of a cell, and tells whether that is enough.
void judge_round(ClaimedCell& cell, LiveCell round) {
    SCOPED_TRACE(cell.name());
    cell.live = std::move(round);
    const CampaignCount& count = cell.live.count;
    const Verdict seen = count.tally().verdict();
    cell.runs += count.tally().runs();
    for (const HazardRow& row : kHazards) {
        cell.strikes[row.hazard] += static_cast<std::uint32_t>(count.strikes(row.hazard));
    }
    EXPECT_EQ(cell.live.inclusion.refused, 0U) << cell.live.inclusion.first_why;
    const bool broken = seen == Verdict::violated || seen == Verdict::stuck;
    EXPECT_FALSE(broken && cell.claimed.claim == Claimed::holds) << name_of(seen);
    EXPECT_EQ(cell.live.witness.has_value(), broken);
    const bool enough = cell.runs >= kRunsThatHold && cell.was_struck();
    cell.decided = broken || (cell.claimed.claim == Claimed::holds && enough);
}

}  // namespace

std::string ClaimedCell::name() const {
    const std::string faults = to_string(claimed.budget);
    return std::string(claimed.algorithm->name) + (faults.empty() ? "" : " under " + faults);
}

bool ClaimedCell::was_struck() const {
    return std::ranges::all_of(kHazards, [&](const HazardRow& row) {
        return claimed.budget[row.hazard] == 0 || strikes[row.hazard] > 0;
    });
}

std::vector<ClaimedCell> run_claims(const std::vector<LiveClaim>& claims) {
    std::vector<ClaimedCell> cells;
    for (const LiveClaim& claim : claims) cells.push_back({claim, fresh(claim), 0, {}, false});
    LiveServer server("", Watcher());
    for (std::uint64_t round = 1; round <= kMostRounds; ++round) {
        // What strikes a server strikes all runs that are on it: only cells with the same faults
        // are one campaign.
        std::vector<std::vector<LiveCell>> open;
        std::vector<std::vector<ClaimedCell*>> whose;
        for (ClaimedCell& cell : cells) {
            if (cell.decided) continue;
            const bool fits =
                !open.empty() && whose.back().front()->claimed.budget == cell.claimed.budget;
            if (!fits) {
                open.emplace_back();
                whose.emplace_back();
            }
            open.back().push_back(fresh(cell.claimed));
            whose.back().push_back(&cell);
        }
        if (open.empty()) break;
        const LiveSummary summary = run_live_campaigns(open, round, server, kNeverStopped, {});
        EXPECT_EQ(summary.keys_left, "");
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (std::size_t k = 0; k < open[i].size(); ++k) {
                judge_round(*whose[i][k], std::move(open[i][k]));
            }
        }
    }
    for (const ClaimedCell& cell : cells) {
        const char* claimed = cell.claimed.claim == Claimed::holds ? "hold" : "break";
        EXPECT_TRUE(cell.decided) << cell.name() << " is said to " << claimed
                                  << ", and was not seen to in " << cell.runs << " runs, in which "
                                  << (cell.was_struck() ? "every" : "not every")
                                  << " fault struck; of the last " << kRound << ", "
                                  << cell.live.count.disturbed_runs() << " were disturbed";
    }
    return cells;
}

}  // namespace locklab
