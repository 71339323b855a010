// Cells that did not come out as they should: what is said of them, and what chance explains.
#include "harness/suite/like_runs.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/campaign/campaign_spec.h"
#include "harness/suite/agreement.h"
#include "harness/suite/summary.h"

namespace locklab {
namespace {

SuiteCellRow cell(WorldKind world, const char* claim, Verdict verdict, std::uint64_t runs,
                  std::uint64_t violated, std::uint64_t stuck = 0) {
    SuiteCellRow row;
    row.world = world;
    row.hazard = Hazard::crash;
    row.claim = claim;
    row.cell.algorithm = "setnx_timestamp_del";
    row.cell.verdict = verdict;
    row.cell.runs = runs;
    row.cell.violated_runs = violated;
    row.cell.stuck = stuck;
    row.as_claimed = came_out_as(row.claim, verdict);
    return row;
}

SuiteCellRow sim() { return cell(WorldKind::sim, "broken", Verdict::violated, 2500, 56); }
SuiteCellRow unseen(std::uint64_t runs) {
    return cell(WorldKind::live, "broken", Verdict::holds, runs, 0);
}

TEST(CameOutAs, a_break_that_was_not_seen_is_not_as_declared) {
    EXPECT_TRUE(came_out_as("safe", Verdict::holds));
    EXPECT_TRUE(came_out_as("safe", Verdict::not_seen)) << "it agrees, and says less";
    EXPECT_FALSE(came_out_as("broken", Verdict::not_seen));
    EXPECT_TRUE(came_out_as("broken", Verdict::violated));
    EXPECT_TRUE(came_out_as("broken", Verdict::stuck));
    EXPECT_TRUE(came_out_as("", Verdict::violated)) << "nothing is declared";
    EXPECT_FALSE(came_out_as("broken", Verdict::holds));
    for (const char* claim : {"safe", "broken"}) {
        EXPECT_FALSE(came_out_as(claim, Verdict::unknown)) << "unknown is never a pass";
    }
}

TEST(Summary, counts_each_world_and_names_what_is_not_as_declared) {
    SuiteResult result;
    result.sim_cells = {sim()};
    result.live_cells = {unseen(100), cell(WorldKind::live, "safe", Verdict::unknown, 0, 0),
                         cell(WorldKind::live, "broken", Verdict::stuck, 100, 0, 3)};
    result.live_cells[0].like = LikeRuns{2500, 50, 3, ""};
    result.live_cells[1].cell.why_unknown = "crash struck in no run";
    const Summary summary = summarize(result);
    EXPECT_EQ(counts_text(summary),
              "1 of 1 cell in the simulator came out as their locks' files declare\n"
              "1 of 3 cells on a real Redis came out as their locks' files declare\n");
    EXPECT_EQ(summary.unexpected,
              "  live: setnx_timestamp_del under crash is claimed broken, found holds in 100 runs; "
              "of 2500 in sim that are like these 53 failed\n"
              "  live: setnx_timestamp_del under crash is claimed safe, found unknown in 0 runs "
              "(crash struck in no run)\n");
    EXPECT_TRUE(summary.is_clean()) << "few live runs, or none, say nothing against a claim";
}

/// It agrees with what is declared safe, and is said as such.
TEST(Summary, says_of_how_many_cells_too_few_runs_were_made) {
    SuiteResult result;
    result.live_cells = {cell(WorldKind::live, "safe", Verdict::not_seen, 20, 0),
                         cell(WorldKind::live, "safe", Verdict::holds, 40, 0)};
    const Summary summary = summarize(result);
    EXPECT_EQ(counts_text(summary),
              "2 of 2 cells on a real Redis came out as their locks' files declare; of 1 of them "
              "nothing was seen, in runs too few to hold\n");
    EXPECT_TRUE(summary.is_clean());
    result.sim_cells = {cell(WorldKind::sim, "broken", Verdict::not_seen, 20, 0)};
    EXPECT_TRUE(summarize(result).is_clean()) << "few runs need not see a break";
}

TEST(Summary, is_not_clean_where_a_cell_says_the_opposite) {
    const auto clean = [](SuiteCellRow row) {
        SuiteResult result;
        (row.world == WorldKind::sim ? result.sim_cells : result.live_cells) = {std::move(row)};
        return summarize(result).is_clean();
    };
    EXPECT_TRUE(clean(sim()));
    EXPECT_FALSE(clean(cell(WorldKind::sim, "broken", Verdict::holds, 2500, 0)));
    EXPECT_FALSE(clean(cell(WorldKind::sim, "safe", Verdict::unknown, 0, 0)));
    EXPECT_FALSE(clean(cell(WorldKind::live, "safe", Verdict::violated, 100, 1)));
    EXPECT_TRUE(clean(unseen(100)));
}

TEST(ChanceOfNone, is_fishers) {
    // Of 4 balls 2 are marked; none among the 2 that are drawn: 1 of 6.
    EXPECT_NEAR(chance_of_none(2, 2, 2), 1.0 / 6, 1e-12);
    EXPECT_EQ(chance_of_none(0, 2500, 100), 1);
    EXPECT_EQ(chance_of_none(7, 7, 0), 1);
    // Close to (1 - 0.0224)^100 where the rate is well known.
    EXPECT_NEAR(chance_of_none(56, 2500, 100), 0.11, 0.01);
}

TEST(RunsToSee, are_as_many_as_hardly_ever_miss_it) {
    EXPECT_EQ(runs_to_see({2500, 0, 0, ""}), 0U) << "nothing is to be seen";
    EXPECT_EQ(runs_to_see({2500, 250, 0, ""}), 66U);  // 0.9^66 < 0.001 < 0.9^65
    EXPECT_EQ(runs_to_see({10, 5, 5, ""}), 1U);
    EXPECT_EQ(runs_to_see({2500, 1, 0, ""}), 1500U) << "no more than can be waited for";
}

/// The only row of a run that has these two cells.
AgreementRow row_of(const SuiteCellRow& in_sim, const SuiteCellRow& live) {
    return agreement_of({in_sim}, {live}).at(0);
}

TEST(Agreement, chance_is_of_runs_that_are_alike) {
    SuiteCellRow live = unseen(100);
    AgreementRow row = row_of(sim(), live);
    EXPECT_FALSE(row.explained) << "no run in sim was like these: " << row.why;
    EXPECT_FALSE(row.chance);
    live.like = LikeRuns{2500, 56, 0, ""};
    row = row_of(sim(), live);
    EXPECT_NEAR(row.chance.value(), 0.11, 0.01);
    EXPECT_TRUE(row.explained);
    EXPECT_NE(row.why.find("56 violated and 0 stuck of 2500 runs"), std::string::npos) << row.why;
    EXPECT_NE(row.why.find("chance would give that in 11 %"), std::string::npos) << row.why;
    // More runs, and still none: then it is not by chance.
    live.cell.runs = 400;
    row = row_of(sim(), live);
    EXPECT_FALSE(row.explained) << row.why;
    EXPECT_NE(row.why.find("in less than 0.1 % of cases"), std::string::npos) << row.why;
}

TEST(Agreement, runs_that_are_alike_may_fail_in_neither_world) {
    SuiteCellRow live = unseen(100);
    live.like = LikeRuns{2500, 0, 0, ""};
    const AgreementRow row = row_of(sim(), live);
    EXPECT_TRUE(row.explained) << row.why;
    EXPECT_NE(row.why.find("in the same ways in both worlds"), std::string::npos) << row.why;
}

TEST(Agreement, what_only_the_real_redis_showed_is_asked_too) {
    SuiteCellRow live = cell(WorldKind::live, "safe", Verdict::violated, 100, 9);
    live.like = LikeRuns{2500, 0, 0, ""};
    const AgreementRow row = row_of(cell(WorldKind::sim, "safe", Verdict::holds, 2500, 0), live);
    EXPECT_FALSE(row.explained) << row.why;
    EXPECT_LT(row.chance.value(), 1e-6);
}

TEST(Agreement, each_way_of_failing_is_asked) {
    SuiteCellRow live = cell(WorldKind::live, "broken", Verdict::stuck, 100, 0, 40);
    live.like = LikeRuns{2500, 800, 1000, ""};
    EXPECT_FALSE(row_of(sim(), live).explained) << "none of these was violated";
}

TEST(Agreement, one_restart_for_all_runs_is_no_chance) {
    SuiteCellRow live = unseen(100);
    SuiteCellRow in_sim = sim();
    live.hazard = in_sim.hazard = Hazard::restart;
    live.like = LikeRuns{2500, 56, 0, ""};
    const AgreementRow row = row_of(in_sim, live);
    EXPECT_FALSE(row.explained);
    EXPECT_NE(row.why.find("are not independent"), std::string::npos) << row.why;
}

/// Where few runs saw nothing, and many in the other world hold, the worlds agree.
TEST(Agreement, too_few_runs_are_no_difference) {
    const SuiteCellRow live = cell(WorldKind::live, "safe", Verdict::not_seen, 20, 0);
    const AgreementRow row = row_of(cell(WorldKind::sim, "safe", Verdict::holds, 2500, 0), live);
    EXPECT_TRUE(row.agree);
    EXPECT_EQ(row.why, "");
}

TEST(Agreement, what_came_to_no_verdict_is_not_compared) {
    SuiteCellRow live = cell(WorldKind::live, "broken", Verdict::unknown, 0, 0);
    live.cell.why_unknown = "crash struck in no run";
    AgreementRow row = row_of(sim(), live);
    EXPECT_FALSE(row.decided);
    EXPECT_EQ(row.why, "Live: crash struck in no run.");
    row = row_of(cell(WorldKind::sim, "broken", Verdict::unknown, 0, 0), live);
    EXPECT_FALSE(row.agree) << "two that know nothing agree in nothing";
    EXPECT_FALSE(row.explained);
}

TEST(LikeRuns, have_what_the_live_runs_have) {
    CampaignOptions options;
    options.world = WorldKind::live;
    options.grants_per_run = 10;
    options.budget[Hazard::pause] = 1;
    const RunSpec live = spec_for(*algorithm_named("set_nx_lua"), options);
    const StopFlag never{false};
    const LikeRuns found = like_runs_of(live, 40, 7, never);
    EXPECT_EQ(found.runs, 40U);
    EXPECT_GT(found.violated, 0U);
    EXPECT_NE(found.command.find("campaign set_nx_lua --faults pause=1 --ttl 500ms --unit 1ms "
                                 "--timeout 100ms --retry 10ms --grants-per-run 10 --runs 40 "
                                 "--seed 7"),
              std::string::npos)
        << found.command;
    options.world = WorldKind::sim;
    options.ttl = std::chrono::milliseconds(500);
    options.unit = std::chrono::milliseconds(1);
    options.timeout = std::chrono::milliseconds(100);
    const RunSpec typed = spec_for(*algorithm_named("set_nx_lua"), options);
    EXPECT_EQ(like_runs_of(typed, 40, 7, never).violated, found.violated)
        << "what is typed is the same";
}

}  // namespace
}  // namespace locklab
