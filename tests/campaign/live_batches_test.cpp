// Batches of a live campaign that end in any order, and runs that were disturbed: by hand, without
// a server.
#include "harness/campaign/live_batches.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/campaign/campaign_spec.h"

namespace locklab::live_batches_test {
namespace {

using Kind = Disturbance::Kind;

LiveCell cell_of(std::uint64_t runs, Hazard hazard = Hazard::contention) {
    CampaignOptions options;
    options.world = WorldKind::live;
    if (hazard != Hazard::contention) options.budget[hazard] = 1;
    return LiveCell(spec_for(*algorithm_named("set_nx_lua"), options), runs);
}

LiveBatches::Judged judged(const LiveBatches::Run& of, Verdict verdict) {
    LiveBatches::Judged judged{of, {}, {}, {}, {}, {}};
    judged.report.run = of.run;
    judged.report.events = 10;
    judged.report.judgement.verdict = verdict;
    judged.report.judgement.grants = 1;
    if (verdict == Verdict::violated) {
        judged.report.judgement.overlaps = 1;
        judged.witness.emplace();
        judged.witness->run = of.run;
    }
    return judged;
}

/// All runs of a batch came out well but these.
LiveBatches::Result all_hold(const LiveBatches& batches, std::size_t batch,
                             const std::map<std::uint64_t, Verdict>& but = {}) {
    LiveBatches::Result result;
    for (const LiveBatches::Run& run : batches.batch(batch)) {
        const auto other = but.find(run.run);
        result.runs.push_back(judged(run, other == but.end() ? Verdict::holds : other->second));
    }
    return result;
}

void disturb(LiveBatches::Result& result, std::size_t place, Kind kind) {
    result.runs[place].disturbance = Disturbance{kind, ""};
}

TEST(LiveBatches, count_in_the_order_of_their_runs_whichever_ends_first) {
    std::vector<LiveCell> cells{cell_of(900)};
    LiveBatches batches(cells, 1);
    ASSERT_EQ(batches.batches(), 3U);
    const std::map<std::uint64_t, Verdict> broken{
        {450, Verdict::violated}, {30, Verdict::violated}, {850, Verdict::violated}};
    batches.take(2, all_hold(batches, 2, broken));
    batches.take(1, all_hold(batches, 1, broken));
    EXPECT_EQ(cells[0].count.tally().runs(), 0U);
    EXPECT_FALSE(batches.is_whole());
    batches.take(0, all_hold(batches, 0, broken));
    EXPECT_TRUE(batches.is_whole());
    EXPECT_EQ(cells[0].count.tally().runs(), 900U);
    EXPECT_EQ(cells[0].count.tally().violated_runs(), 3U);
    EXPECT_EQ(cells[0].count.witness(), 30U) << "the first of those that are equally short";
    ASSERT_TRUE(cells[0].witness);
    EXPECT_EQ(cells[0].witness->run, 30U);
}

TEST(LiveBatches, what_this_machine_disturbed_is_repeated_once_and_what_the_server_did_is_not) {
    std::vector<LiveCell> cells{cell_of(6), cell_of(6)};
    LiveBatches batches(cells, 1);
    LiveBatches::Result result = all_hold(batches, 0);
    disturb(result, 1, Kind::late);
    disturb(result, 4, Kind::unanswered);
    disturb(result, 6, Kind::refused);
    disturb(result, 8, Kind::disconnected);
    batches.take(0, std::move(result));
    EXPECT_EQ(cells[0].count.disturbed_runs(), 2U);
    EXPECT_EQ(cells[1].count.disturbed_runs(), 0U);
    ASSERT_TRUE(batches.has_disturbed());
    batches.repeat_disturbed();
    EXPECT_FALSE(batches.has_disturbed());
    EXPECT_FALSE(batches.is_whole());
    ASSERT_EQ(batches.batches(), 2U);
    ASSERT_EQ(batches.batch(1).size(), 2U);
    EXPECT_EQ(batches.batch(1)[0].cell, 1U);
    EXPECT_EQ(batches.batch(1)[1].run, 2U);

    result = all_hold(batches, 1);
    disturb(result, 0, Kind::late);
    batches.take(1, std::move(result));
    EXPECT_TRUE(batches.is_whole());
    EXPECT_FALSE(batches.has_disturbed());
    EXPECT_EQ(cells[0].count.tally().runs(), 4U);
    EXPECT_EQ(cells[1].count.tally().runs(), 5U);
    EXPECT_EQ(cells[1].count.disturbed_runs(Kind::late), 1U);
}

TEST(LiveBatches, what_is_not_repeated_any_more_is_left_out) {
    std::vector<LiveCell> cells{cell_of(6)};
    LiveBatches batches(cells, 1);
    LiveBatches::Result result = all_hold(batches, 0);
    disturb(result, 1, Kind::late);
    batches.take(0, std::move(result));
    batches.leave_out_disturbed();
    EXPECT_EQ(cells[0].count.disturbed_runs(Kind::late), 1U);
    EXPECT_EQ(cells[0].count.tally().runs(), 5U);
}

TEST(LiveBatches, runs_that_share_a_server_are_few_and_those_of_a_swarm_stay_together) {
    std::vector<LiveCell> cells{cell_of(100, Hazard::restart)};
    const RunSpec spec = cells[0].spec;
    LiveBatches alike(cells, 1);
    ASSERT_EQ(alike.batches(), 3U);
    EXPECT_EQ(alike.batch(0).size(), 48U);
    cells[0].of_run = [spec](std::uint64_t, std::uint64_t) { return spec; };
    LiveBatches drawn(cells, 1);
    for (LiveBatches* batches : {&alike, &drawn}) {
        for (std::size_t i = 0; i < 3; ++i) {
            LiveBatches::Result result = all_hold(*batches, i);
            disturb(result, 0, Kind::late);
            batches->take(i, std::move(result));
        }
        batches->repeat_disturbed();
    }
    EXPECT_EQ(alike.batches(), 4U);
    EXPECT_EQ(drawn.batches(), 6U) << "each with those that its draw was for";
}

TEST(LiveBatches, what_was_interrupted_is_no_whole_campaign) {
    std::vector<LiveCell> cells{cell_of(900)};
    LiveBatches batches(cells, 1);
    LiveBatches::Result result = all_hold(batches, 0);
    result.runs.resize(5);
    result.interrupted = true;
    batches.take(1, all_hold(batches, 1));
    batches.take(0, std::move(result));
    EXPECT_TRUE(batches.is_cut_short());
    EXPECT_FALSE(batches.is_whole());
    EXPECT_FALSE(cells[0].count.complete());
    EXPECT_EQ(cells[0].count.tally().runs(), 405U);
}

}  // namespace
}  // namespace locklab::live_batches_test
