#include "harness/check/swarm_count.h"

#include <gtest/gtest.h>

#include "harness/check/campaign_count.h"

namespace locklab::swarm_count_test {
namespace {

using std::chrono::seconds;

Draw draw_with(std::initializer_list<Hazard> hazards, Duration ttl = seconds(10)) {
    Draw draw;
    for (const Hazard hazard : hazards) draw.faults[hazard] = 1;
    draw.ttl = ttl;
    return draw;
}

Judgement judgement(Verdict verdict, std::initializer_list<Cause> causes = {}) {
    Judgement judgement;
    judgement.verdict = verdict;
    judgement.client_grants = {1, 1};
    judgement.client_lived = {1, 1};
    for (const Cause cause : causes) judgement.causes[cause] += 3;
    return judgement;
}

TEST(SwarmCount, tells_runs_that_have_a_fault_from_those_without) {
    SwarmCount count;
    using enum Hazard;
    count.add(draw_with({pause, crash}), 0, {pause},
              judgement(Verdict::violated, {Cause::expired_while_held, Cause::foreign_delete}));
    count.add(draw_with({pause}), 1, {}, judgement(Verdict::holds));
    count.add(draw_with({crash}), 2, {crash}, judgement(Verdict::stuck));
    count.add(draw_with({}), 3, {}, judgement(Verdict::holds));
    EXPECT_EQ(count.all().runs, 4U);
    const SwarmCount::FaultRow& paused = count.of(pause);
    EXPECT_EQ(paused.with.runs, 2U);
    EXPECT_EQ(paused.with.violated, 1U);
    EXPECT_EQ(paused.with.stuck, 0U);
    EXPECT_EQ(paused.with.causes[Cause::foreign_delete], 1U) << "runs are counted, not violations";
    EXPECT_EQ(paused.struck, 1U);
    EXPECT_EQ(paused.without.runs, 2U);
    EXPECT_EQ(paused.without.violated, 0U);
    EXPECT_EQ(paused.without.stuck, 1U);
    EXPECT_EQ(count.of(evict).with.runs, 0U);
    EXPECT_EQ(count.of(evict).without.violated, 1U);
    ASSERT_EQ(count.subsets().size(), 4U);
    for (const auto& [subset, row] : count.subsets()) {
        const HazardSet drawn = hazards_in(subset);
        EXPECT_EQ(row.runs, 1U);
        EXPECT_EQ(row.violated, drawn.contains(pause) && drawn.contains(crash) ? 1U : 0U);
    }
}

TEST(SwarmCount, tells_clients_and_times_to_live_apart) {
    SwarmCount count;
    Judgement three = judgement(Verdict::violated);
    three.client_grants = {1, 1, 1};
    count.add(draw_with({}, seconds(5)), 0, {}, judgement(Verdict::holds));
    count.add(draw_with({}, seconds(10)), 1, {}, three);
    EXPECT_EQ(count.clients().at(2).violated, 0U);
    EXPECT_EQ(count.clients().at(3).violated, 1U);
    EXPECT_EQ(count.ttls().at(seconds(5)).runs, 1U);
    EXPECT_EQ(count.ttls().at(seconds(10)).violated, 1U);
}

TEST(SwarmCount, the_fewest_faults_of_a_violated_run_are_those_that_struck) {
    SwarmCount count;
    using enum Hazard;
    count.add(draw_with({pause, crash, evict}), 4, {pause, crash}, judgement(Verdict::violated));
    count.add(draw_with({}), 5, {}, judgement(Verdict::holds));
    EXPECT_EQ(count.fewest()->run, 4U);
    count.add(draw_with({pause, crash, evict}), 6, {evict}, judgement(Verdict::violated));
    count.add(draw_with({pause}), 7, {pause}, judgement(Verdict::violated));
    EXPECT_EQ(count.fewest()->run, 6U) << "of equal ones the first";
    EXPECT_TRUE(count.fewest()->struck.contains(evict));
    EXPECT_FALSE(count.fewest()->struck.contains(pause));
}

TEST(SwarmCount, a_run_waits_for_its_own_time_to_live) {
    CampaignCount count(FaultBudget(), seconds(5));
    RunReport report;
    report.judgement = judgement(Verdict::holds);
    report.judgement.liveness.longest_orphan_wait = seconds(2);
    report.draw = draw_with({}, seconds(10));
    count.add(report);
    EXPECT_EQ(count.tally().stuck_until_ttl_runs(), 0U);
    report.draw = draw_with({}, seconds(4));
    count.add(report);
    EXPECT_EQ(count.tally().stuck_until_ttl_runs(), 1U);
    ASSERT_TRUE(count.swarm());
    EXPECT_EQ(count.swarm()->all().runs, 2U);
}

TEST(SwarmCount, there_is_none_where_nothing_was_drawn) {
    CampaignCount count(FaultBudget(), seconds(5));
    count.add(RunReport());
    EXPECT_FALSE(count.swarm());
}

}  // namespace
}  // namespace locklab::swarm_count_test
