// What fencing tokens are for, and when they fail. The corpus has locks that draw bad ones.
#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/explore/sim_campaign.h"

namespace locklab::fences_test {
namespace {

const StopFlag kNeverStop{false};
constexpr Duration kTtl = std::chrono::seconds(1);

Tally counted(const Algorithm& algorithm, Hazard hazard) {
    FaultBudget budget;
    if (hazard != Hazard::contention) budget[hazard] = 1;
    LockOptions options = with_ttl(algorithm.defaults, kTtl);
    options.retry = std::chrono::milliseconds(10);
    const RunSpec spec = make_run_spec(algorithm, options, kTtl, budget);
    const CampaignGoal goal{.seed = 11, .grants = ~std::uint64_t{0}, .most_runs = 300};
    return run_sim_campaign(spec, goal, kNeverStop, {}).tally();
}

TEST(Fences, a_pause_lets_two_in_and_the_resource_loses_no_update) {
    for (const Hazard hazard : {Hazard::pause, Hazard::slow_job}) {
        const Tally fenced = counted(*algorithm_named("fenced"), hazard);
        EXPECT_EQ(fenced.verdict(), Verdict::violated);
        EXPECT_GT(fenced.overlaps(), 0U);
        EXPECT_EQ(fenced.lost_updates(), 0U);
        EXPECT_GT(fenced.denied(), 0U);
        const Tally without = counted(*algorithm_named("set_nx_lua"), hazard);
        EXPECT_GT(without.lost_updates(), 0U);
        EXPECT_EQ(without.denied(), 0U);
    }
}

TEST(Fences, tokens_grow_unless_the_server_loses_their_counter) {
    for (const HazardRow& row : kSimulatedHazards) {
        SCOPED_TRACE(row.name);
        const Tally fenced = counted(*algorithm_named("fenced"), row.hazard);
        if (kLosesData.contains(row.hazard) || takes_over(row.hazard)) {
            EXPECT_GT(fenced.fence_inversions(), 0U);
            EXPECT_EQ(fenced.causes()[Cause::old_token], 0U) << "it was lost, and that is told";
        } else {
            EXPECT_EQ(fenced.fence_inversions(), 0U);
        }
    }
}

TEST(Fences, locks_without_tokens_are_not_asked_for_them) {
    EXPECT_EQ(counted(*algorithm_named("set_nx_lua"), Hazard::restart).causes()[Cause::old_token],
              0U);
}

}  // namespace
}  // namespace locklab::fences_test
