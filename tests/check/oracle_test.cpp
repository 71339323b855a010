#include "harness/check/oracle.h"

#include <gtest/gtest.h>

#include "harness/check/campaign_count.h"
#include "tests/check/story.h"

namespace locklab::oracle_test {
namespace {

using std::chrono::seconds;

Judgement clean(bool exact_clocks = true) {
    Judgement judgement;
    judgement.verdict = Verdict::holds;
    judgement.exact_clocks = exact_clocks;
    judgement.grants = 10;
    judgement.late_grants.of = 10;
    judgement.deletions.keys = 10;
    return judgement;
}

OracleTally tally_of(const Judgement& judgement, std::uint64_t runs) {
    OracleTally tally;
    for (std::uint64_t run = 0; run < runs; ++run) tally.add(run, judgement, seconds(1));
    return tally;
}

const OracleRow& row(Oracle oracle) { return kOracles[static_cast<std::size_t>(oracle)]; }

TEST(OracleTally, one_finding_is_a_verdict) {
    OracleTally tally = tally_of(clean(), 40);
    EXPECT_EQ(tally.verdict(row(Oracle::late_grants)), Verdict::holds);
    Judgement late = clean();
    late.late_grants.found = 3;
    tally.add(40, late, seconds(1));
    tally.add(41, late, seconds(1));
    EXPECT_EQ(tally.verdict(row(Oracle::late_grants)), Verdict::violated);
    const OracleTally::Sum& sum = tally.of(Oracle::late_grants);
    EXPECT_EQ(sum.count, (OracleCount{6, 420}));
    EXPECT_EQ(sum.runs, 42U);
    EXPECT_EQ(sum.found_in, 2U);
    EXPECT_EQ(sum.run, 40U);
}

TEST(OracleTally, few_runs_in_which_nothing_was_found_are_no_holds) {
    EXPECT_EQ(tally_of(clean(), 34).verdict(row(Oracle::late_grants)), Verdict::not_seen);
    EXPECT_EQ(tally_of(clean(), 35).verdict(row(Oracle::late_grants)), Verdict::holds);
}

TEST(OracleTally, where_there_was_nothing_to_look_at_nothing_is_known) {
    EXPECT_EQ(tally_of(clean(), 99).verdict(row(Oracle::long_calls)), Verdict::unknown);
}

/// What rests on clocks can be the machine's doing; who deleted a key cannot.
TEST(OracleTally, what_rests_on_clocks_is_a_column_where_time_is_real) {
    Judgement live = clean(false);
    live.late_grants.found = 1;
    live.deletions.of_anothers = 1;
    const OracleTally tally = tally_of(live, 40);
    EXPECT_FALSE(tally.has_exact_clocks());
    EXPECT_EQ(tally.verdict(row(Oracle::late_grants)), std::nullopt);
    EXPECT_EQ(tally.of(Oracle::late_grants).count.found, 40U);
    EXPECT_EQ(tally.verdict(row(Oracle::others_keys_deleted)), Verdict::violated);
}

TEST(OracleTally, keeps_the_run_with_the_busiest_second) {
    OracleTally tally;
    Judgement busy = clean();
    for (const std::uint64_t most : {3, 9, 9, 5}) {
        busy.busiest_second = most;
        tally.add(most + tally.busiest_run(), busy, seconds(1));
    }
    EXPECT_EQ(tally.busiest_second(), 9U);
    EXPECT_EQ(tally.busiest_run(), 12U) << "the first of them";
}

TEST(Oracle, an_orphan_wait_counts_from_half_a_ttl_on) {
    Judgement waited = clean();
    waited.liveness.longest_orphan_wait = seconds(1);
    EXPECT_EQ(count_of(Oracle::orphan_waits, waited, seconds(1)), (OracleCount{1, 1}));
    EXPECT_EQ(count_of(Oracle::orphan_waits, waited, seconds(2)), (OracleCount{0, 1}));
    EXPECT_EQ(count_of(Oracle::orphan_waits, waited, Duration(0)), (OracleCount{0, 1}));
    waited.liveness.stuck = true;
    EXPECT_EQ(count_of(Oracle::orphan_waits, waited, Duration(0)), (OracleCount{1, 1}));
}

TEST(Oracle, tokens_and_writes_are_what_a_fence_is_looked_for_in) {
    Story story;
    story.at(1).wants(0).fenced(0, 5).leaving(0).wants(1).fenced(1, 4).leaving(1);
    const Judgement found = judge(story.end());
    EXPECT_EQ(count_of(Oracle::fences_back, found, Duration(0)), (OracleCount{1, 2}));
}

/// A second that has passed is no part of it any more.
TEST(BusiestSecond, is_the_second_with_most_commands) {
    Story story;
    const auto asks = [&](std::int64_t at) {
        story.at(at).sent(0, Phase::acquire, static_cast<std::uint64_t>(at),
                          Command::of("GET", "k"));
    };
    for (const std::int64_t at : {0, 999, 1000, 1500, 1998, 2000, 4000}) asks(at);
    story.sent(0, Phase::inside, 9000, Command::of("READ"), kOracle);
    const Judgement found = judge(story.end());
    EXPECT_EQ(found.busiest_second, 4U) << "1000, 1500, 1998 and 999 or 2000; not both";
    EXPECT_EQ(found.busiest_from, ms(999));
}

TEST(CampaignCountTest, says_how_late_the_machine_was_in_runs_that_count) {
    CampaignCount count(FaultBudget(), seconds(1));
    RunReport report;
    report.judgement = clean(false);
    report.lag = std::chrono::milliseconds(3);
    count.add(report);
    report.lag = std::chrono::milliseconds(2);
    count.add(report);
    EXPECT_EQ(count.worst_lag(), std::chrono::milliseconds(3));
}

}  // namespace
}  // namespace locklab::oracle_test
