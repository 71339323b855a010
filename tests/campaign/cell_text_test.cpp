// What the text of a campaign says of one that did not make all its runs.

#include "harness/campaign/cell_text.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/check/judge.h"
#include "tests/check/story.h"

namespace locklab::cell_text_test {
namespace {

std::string text_of(const CampaignCount& count) {
    RunSpec spec;
    spec.algorithm = algorithm_named("set_nx_lua");
    return cell_text(spec, count, "");
}

TEST(CellText, says_why_there_are_fewer_runs_though_one_was_violated) {
    CampaignCount count(FaultBudget(), std::chrono::seconds(1));
    count.add(report_run(Story().at(1).wants(0).granted(0).at(2).wants(1).granted(1).end()));
    EXPECT_EQ(text_of(count).find("cut short"), std::string::npos);
    count.cut_short("the driver sent CONFIG SET");
    EXPECT_NE(text_of(count).find(": violated\n"), std::string::npos) << text_of(count);
    EXPECT_NE(text_of(count).find("\n  cut short: the driver sent CONFIG SET\n"), std::string::npos)
        << text_of(count);
}

TEST(CellText, says_what_the_lock_threw_though_a_run_was_violated) {
    CampaignCount count(FaultBudget(), std::chrono::seconds(1));
    History thrown = Story().at(1).wants(0).end();
    thrown.threw = "threw an exception: no such key";
    count.add(report_run(thrown));
    EXPECT_EQ(text_of(count).find("in some runs"), std::string::npos) << text_of(count);
    count.add(report_run(Story().at(1).wants(0).granted(0).at(2).wants(1).granted(1).end()));
    EXPECT_NE(text_of(count).find("\n  in some runs the lock threw an exception: no such key\n"),
              std::string::npos)
        << text_of(count);
}

TEST(CellText, says_it_once_where_nothing_is_known) {
    CampaignCount count(FaultBudget(), std::chrono::seconds(1));
    count.cut_short("the driver sent CONFIG SET");
    const std::string text = text_of(count);
    EXPECT_NE(text.find("unknown (the campaign was cut short: the driver sent CONFIG SET)"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("cut short"), text.rfind("cut short"));
}

}  // namespace
}  // namespace locklab::cell_text_test
