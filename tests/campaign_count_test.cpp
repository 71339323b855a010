#include "harness/check/campaign_count.h"

#include <gtest/gtest.h>

#include "tests/story.h"

namespace locklab {
namespace {

FaultBudget one(Hazard hazard) {
    FaultBudget budget;
    budget[hazard] = 1;
    return budget;
}

Story calm() { return Story().at(0).wants(0).at(1).granted(0).at(2).leaving(0).released(0); }

RunReport report(std::uint64_t run, const History& history) {
    RunReport found = report_run(history);
    found.run = run;
    return found;
}

TEST(CampaignCountTest, accepts_runs_in_which_every_hazard_of_the_budget_struck) {
    CampaignCount count(one(Hazard::pause), Duration(0));
    count.add(report(0, calm().end()));
    count.add(report(1, calm().fault(0, Hazard::pause).end()));
    EXPECT_EQ(count.verdict(), Verdict::holds);
    EXPECT_EQ(count.strikes(Hazard::pause), 1U);
    EXPECT_EQ(count.why_unknown(), "");
    EXPECT_FALSE(count.witness());
}

TEST(CampaignCountTest, knows_nothing_of_a_hazard_that_never_struck) {
    CampaignCount count(one(Hazard::pause), Duration(0));
    count.add(report(0, calm().end()));
    EXPECT_EQ(count.verdict(), Verdict::unknown);
    EXPECT_EQ(count.why_unknown(), "pause struck in no run");
}

TEST(CampaignCountTest, knows_nothing_without_a_run_without_a_grant_or_when_cut_short) {
    CampaignCount none(FaultBudget(), Duration(0));
    EXPECT_EQ(none.verdict(), Verdict::unknown);
    CampaignCount refused(FaultBudget(), Duration(0));
    refused.add(report(0, Story().at(0).wants(0).end()));
    EXPECT_EQ(refused.verdict(), Verdict::unknown);
    CampaignCount cut(FaultBudget(), Duration(0));
    cut.add(report(0, calm().end()));
    EXPECT_EQ(cut.verdict(), Verdict::holds);
    cut.cut_short();
    EXPECT_EQ(cut.verdict(), Verdict::unknown);
    EXPECT_NE(cut.why_unknown(), "");
}

TEST(CampaignCountTest, knows_nothing_where_most_runs_were_disturbed) {
    CampaignCount count(FaultBudget(), Duration(0));
    count.add(report(0, calm().end()));
    count.leave_out_disturbed();
    EXPECT_EQ(count.verdict(), Verdict::holds);
    count.leave_out_disturbed();
    EXPECT_EQ(count.verdict(), Verdict::unknown);
}

TEST(CampaignCountTest, shows_what_was_found_whatever_is_missing_by_its_shortest_run) {
    CampaignCount count(one(Hazard::pause), Duration(0));
    count.cut_short();
    count.add(report(3, Story().at(0).wants(0).end(100, 50)));
    EXPECT_EQ(count.verdict(), Verdict::stuck);
    EXPECT_EQ(count.witness(), 3U);
    count.add(report(4, calm().granted(0).granted(1).end()));
    EXPECT_EQ(count.verdict(), Verdict::violated);
    EXPECT_EQ(count.witness(), 4U);
    count.add(report(5, Story().at(0).granted(0).granted(1).end()));
    EXPECT_EQ(count.witness(), 5U) << "a shorter one";
    count.add(report(6, calm().granted(0).granted(1).end()));
    EXPECT_EQ(count.witness(), 5U);
}

}  // namespace
}  // namespace locklab
