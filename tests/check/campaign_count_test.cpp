#include "harness/check/campaign_count.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::campaign_count_test {
namespace {

FaultBudget budget_of(std::initializer_list<Hazard> hazards) {
    FaultBudget budget;
    for (const Hazard hazard : hazards) budget[hazard] = 1;
    return budget;
}

CampaignCount empty(std::initializer_list<Hazard> hazards = {}) {
    return CampaignCount(budget_of(hazards), std::chrono::seconds(1));
}

RunReport report(Verdict verdict, std::uint64_t run, std::size_t events = 10,
                 std::uint64_t grants = 5) {
    RunReport report;
    report.run = run;
    report.events = events;
    report.judgement.verdict = verdict;
    report.judgement.grants = grants;
    report.judgement.liveness.stuck = verdict == Verdict::stuck;
    return report;
}

TEST(RunReportTest, is_what_the_history_shows) {
    Story story;
    story.at(1).wants(0).granted(0).fault(0, Hazard::pause, 5).fault(1, Hazard::pause, 5);
    story.at(2).wants(1).granted(1).crash(1).leaving(0);
    History history = story.end();
    history.run = 17;
    const RunReport report = report_run(history);
    EXPECT_EQ(report.run, 17U);
    EXPECT_EQ(report.events, 8U);
    EXPECT_EQ(report.judgement.verdict, Verdict::violated);
    EXPECT_EQ(report.judgement.overlaps, 1U);
    for (const HazardRow& row : kHazards) {
        const std::uint32_t expected = row.hazard == Hazard::pause   ? 2
                                       : row.hazard == Hazard::crash ? 1
                                                                     : 0;
        EXPECT_EQ(report.strikes[static_cast<std::size_t>(row.hazard)], expected) << row.name;
    }
}

TEST(CampaignCountTest, holds_where_every_run_does) {
    CampaignCount count = empty();
    for (std::uint64_t run = 0; run < 35; ++run) count.add(report(Verdict::holds, run));
    EXPECT_EQ(count.verdict(), Verdict::holds);
    EXPECT_EQ(count.why_unknown(), "");
    EXPECT_FALSE(count.witness());
    EXPECT_EQ(count.tally().runs(), 35U);
    EXPECT_EQ(count.tally().grants(), 175U);
}

/// Wilson's upper end for none of n is z^2 / (n + z^2): 10.15 % for 34 runs, 9.9 % for 35.
TEST(CampaignCountTest, few_runs_in_which_nothing_was_seen_are_no_holds) {
    CampaignCount count = empty();
    for (std::uint64_t run = 0; run < 34; ++run) count.add(report(Verdict::holds, run));
    EXPECT_EQ(count.verdict(), Verdict::not_seen);
    EXPECT_EQ(count.why_unknown(), "");
    EXPECT_NEAR(count.tally().bound(), 0.1015, 0.0001);
    count.add(report(Verdict::unknown, 34, 10, 0));
    EXPECT_EQ(count.verdict(), Verdict::not_seen) << "a run that shows nothing is none of them";
    count.add(report(Verdict::holds, 35));
    EXPECT_EQ(count.verdict(), Verdict::holds);
}

TEST(CampaignCountTest, says_how_many_runs_more_a_bound_takes) {
    CampaignCount count = empty();
    EXPECT_EQ(count.runs_to(kFullLeavesOpen), 73U);
    for (std::uint64_t run = 0; run < 70; ++run) count.add(report(Verdict::holds, run));
    EXPECT_EQ(count.runs_to(kMostLeftOpen), 0U);
    EXPECT_EQ(count.runs_to(kFullLeavesOpen), 3U);
    count.add(report(Verdict::stuck, 70));
    EXPECT_EQ(count.runs_to(kFullLeavesOpen), 0U) << "what went wrong needs no more runs";
    CampaignCount cut = empty();
    cut.cut_short();
    EXPECT_EQ(cut.runs_to(kFullLeavesOpen), 0U);
}

TEST(CampaignCountTest, one_run_is_enough_to_break_it) {
    CampaignCount count = empty();
    for (std::uint64_t run = 0; run < 99; ++run) count.add(report(Verdict::holds, run));
    count.add(report(Verdict::stuck, 99));
    EXPECT_EQ(count.verdict(), Verdict::stuck);
    EXPECT_EQ(count.witness(), 99U);
    count.add(report(Verdict::violated, 100, 1'000));
    EXPECT_EQ(count.verdict(), Verdict::violated);
    EXPECT_EQ(count.witness(), 100U) << "the witness shows the verdict, however long it is";
    count.cut_short();
    EXPECT_EQ(count.verdict(), Verdict::violated) << "what was seen was seen";
    EXPECT_EQ(count.why_unknown(), "");
}

TEST(CampaignCountTest, the_witness_is_the_shortest_and_then_the_first) {
    CampaignCount count = empty();
    count.add(report(Verdict::violated, 3, 50));
    count.add(report(Verdict::violated, 4, 20));
    count.add(report(Verdict::violated, 5, 20));
    count.add(report(Verdict::holds, 6, 1));
    EXPECT_EQ(count.witness(), 4U);
}

TEST(CampaignCountTest, unknown_is_never_holds_and_says_why) {
    EXPECT_EQ(empty().verdict(), Verdict::unknown);
    EXPECT_EQ(empty().why_unknown(), "there was no grant");

    CampaignCount no_grant = empty();
    no_grant.add(report(Verdict::unknown, 0, 10, 0));
    EXPECT_EQ(no_grant.verdict(), Verdict::unknown);
    EXPECT_EQ(no_grant.why_unknown(), "there was no grant");

    CampaignCount cut = empty();
    cut.add(report(Verdict::holds, 0));
    cut.cut_short();
    EXPECT_EQ(cut.verdict(), Verdict::unknown);
    EXPECT_EQ(cut.why_unknown(), "the campaign was cut short");
}

TEST(CampaignCountTest, one_client_alone_shows_nothing) {
    RunSpec spec;
    for (const std::uint32_t clients : {1U, 2U}) {
        spec.clients = clients;
        CampaignCount count(spec, FaultBudget());
        count.add(report(Verdict::holds, 0));
        EXPECT_EQ(count.why_unknown(), clients == 1 ? kNobodyToExclude : "");
    }
}

TEST(CampaignCountTest, a_hazard_that_never_struck_shows_nothing) {
    CampaignCount count = empty({Hazard::crash, Hazard::pause});
    RunReport crashed = report(Verdict::holds, 0);
    crashed.strikes[static_cast<std::size_t>(Hazard::crash)] = 2;
    count.add(crashed);
    EXPECT_EQ(count.strikes(Hazard::crash), 2U);
    EXPECT_EQ(count.never_struck(), Hazard::pause);
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "pause struck in no run");

    RunReport paused = report(Verdict::holds, 1);
    paused.strikes[static_cast<std::size_t>(Hazard::pause)] = 1;
    count.add(paused);
    EXPECT_FALSE(count.never_struck());
    EXPECT_EQ(count.verdict(), Verdict::not_seen);
}

RunReport thrown(std::uint64_t run) {
    RunReport threw = report(Verdict::unknown, run);
    threw.threw = threw.judgement.shows_nothing = true;
    threw.judgement.why_unknown = "the lock threw";
    return threw;
}

TEST(CampaignCountTest, a_run_in_which_the_lock_threw_proves_nothing_and_hides_nothing) {
    CampaignCount count = empty();
    count.add(report(Verdict::holds, 0));
    count.add(thrown(1));
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "the lock threw");
    EXPECT_EQ(count.threw(), "the lock threw");
    EXPECT_FALSE(count.witness());
    count.add(report(Verdict::violated, 2));
    EXPECT_EQ(count.verdict(), Verdict::violated);
    EXPECT_EQ(count.witness(), 2U);
}

TEST(RunReportTest, a_process_that_ends_by_itself_was_struck_by_nothing) {
    Story story;
    story.at(1).wants(0).granted(0);
    story.note(0, Phase::inside, event::Fault{.hazard = Hazard::crash, .by_itself = true});
    const RunReport report = report_run(story.end());
    EXPECT_EQ(report.strikes[static_cast<std::size_t>(Hazard::crash)], 0U);
    EXPECT_EQ(report.judgement.deaths, 1U);
    EXPECT_EQ(report.judgement.client_lived, std::vector<std::uint8_t>{0});
}

TEST(RunReportTest, says_whether_the_lock_threw) {
    History history;
    EXPECT_FALSE(report_run(history).threw);
    history.threw = "threw an exception";
    EXPECT_TRUE(report_run(history).threw);
}

TEST(CampaignCountTest, more_runs_disturbed_than_not_show_nothing) {
    CampaignCount count = empty();
    count.add(report(Verdict::holds, 0));
    count.leave_out_disturbed();
    EXPECT_EQ(count.verdict(), Verdict::not_seen);
    count.leave_out_disturbed();
    EXPECT_EQ(count.disturbed_runs(), 2U);
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "the machine was too slow for most runs");
    count.add(report(Verdict::violated, 3));
    EXPECT_EQ(count.verdict(), Verdict::violated);
}

}  // namespace
}  // namespace locklab::campaign_count_test
