#include "harness/core/fault.h"

#include <gtest/gtest.h>

#include <map>

#include "harness/core/random_choices.h"

namespace locklab::fault_test {
namespace {

constexpr ClientId kA{0};
constexpr ClientId kB{1};

TEST(HazardTest, rows_stand_in_the_order_of_the_enum_and_names_find_them) {
    for (std::size_t i = 0; i < kHazards.size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(kHazards[i].hazard), i);
        EXPECT_EQ(hazard_named(kHazards[i].name), kHazards[i].hazard);
    }
    EXPECT_FALSE(hazard_named("tornado"));
}

TEST(FaultScheduleTest, strikes_once_at_its_moment) {
    FaultSchedule schedule({{Hazard::pause, {kA, 2, Phase::inside, 1}, Duration(5)}});
    EXPECT_EQ(schedule.on_observation(kA, 1, Phase::inside), nullptr);
    EXPECT_EQ(schedule.on_observation(kB, 2, Phase::inside), nullptr);
    EXPECT_EQ(schedule.on_observation(kA, 2, Phase::acquire), nullptr);
    EXPECT_EQ(schedule.on_observation(kA, 2, Phase::inside), nullptr);  // its 0th
    EXPECT_EQ(schedule.on_send(kA, 2, Phase::inside), nullptr);
    const PlannedFault* fault = schedule.on_observation(kA, 2, Phase::inside);  // its 1st
    ASSERT_NE(fault, nullptr);
    EXPECT_EQ(fault->hazard, Hazard::pause);
    EXPECT_EQ(fault->amount, Duration(5));
    EXPECT_EQ(schedule.on_observation(kA, 2, Phase::inside), nullptr);
}

TEST(FaultScheduleTest, a_moment_that_its_round_does_not_have_comes_in_the_next) {
    FaultSchedule schedule({{Hazard::retry, {kA, 1, Phase::release, 2}, Duration(0)}});
    EXPECT_EQ(schedule.on_send(kA, 1, Phase::release), nullptr);
    EXPECT_EQ(schedule.on_send(kA, 2, Phase::release), nullptr);
    EXPECT_NE(schedule.on_send(kA, 3, Phase::release), nullptr);
    EXPECT_EQ(schedule.on_send(kA, 4, Phase::release), nullptr);
}

TEST(FaultScheduleTest, faults_of_messages_strike_where_a_command_is_sent) {
    FaultSchedule schedule({{Hazard::lose_reply, {kA, 1, Phase::release, 0}, Duration(0)}});
    EXPECT_EQ(schedule.on_observation(kA, 1, Phase::release), nullptr);
    ASSERT_NE(schedule.on_send(kA, 1, Phase::release), nullptr);
    EXPECT_EQ(schedule.on_send(kA, 1, Phase::release), nullptr);
}

TEST(FaultScheduleTest, slow_jobs_and_clock_offsets_strike_at_no_moment) {
    FaultSchedule schedule({{Hazard::slow_job, {kA, 1, Phase::inside, 0}, Duration(9)},
                            {Hazard::clock_offset, {kB, 1, Phase::inside, 0}, Duration(-4)}});
    EXPECT_EQ(schedule.on_observation(kA, 1, Phase::inside), nullptr);
    EXPECT_EQ(schedule.slow_job(kA, 1), Duration(9));
    EXPECT_FALSE(schedule.slow_job(kA, 2));
    EXPECT_EQ(schedule.clock_offset(kB), Duration(-4));
    EXPECT_EQ(schedule.clock_offset(kA), Duration(0));
}

TEST(FaultPlanTest, a_calm_plan_is_empty) {
    FaultBudget budget;
    for (const HazardRow& row : kHazards) budget[row.hazard] = 2;
    CalmChoices calm;
    EXPECT_TRUE(draw_plan(budget, {3, std::chrono::seconds(1), true}, calm).empty());
}

TEST(FaultPlanTest, keeps_to_its_budget_and_reaches_every_client_and_phase) {
    FaultBudget budget;
    budget[Hazard::pause] = 2;
    budget[Hazard::lose_reply] = 1;
    const Duration ttl = std::chrono::seconds(1);
    std::map<Hazard, std::map<Phase, int>> phases;
    std::map<std::uint32_t, int> clients;
    for (std::uint64_t run = 0; run < 2000; ++run) {
        RandomChoices random(3, run);
        const auto plan = draw_plan(budget, {3, ttl, false}, random);
        int pauses = 0;
        for (const PlannedFault& fault : plan) {
            ++phases[fault.hazard][fault.moment.phase];
            ++clients[fault.moment.client.value];
            if (fault.hazard != Hazard::pause) continue;
            ++pauses;
            EXPECT_GE(fault.amount, ttl / 5);
            EXPECT_LE(fault.amount, 3 * ttl);
        }
        EXPECT_LE(pauses, 2);
        EXPECT_LE(plan.size(), 3U);
    }
    EXPECT_EQ(clients.size(), 3U);
    for (const Phase phase : {Phase::acquire, Phase::inside, Phase::release}) {
        EXPECT_GT(phases[Hazard::pause][phase], 500);
    }
    EXPECT_GT(phases[Hazard::lose_reply][Phase::acquire], 500);
    EXPECT_GT(phases[Hazard::lose_reply][Phase::release], 500);
    EXPECT_EQ(phases[Hazard::lose_reply].count(Phase::background), 0U);
}

TEST(FaultPlanTest, a_clock_is_off_either_way_and_no_other_amount_is_negative) {
    FaultBudget budget;
    for (const HazardRow& row : kHazards) budget[row.hazard] = 1;
    std::map<Hazard, int> behind;
    for (std::uint64_t run = 0; run < 2000; ++run) {
        RandomChoices random(3, run);
        for (const PlannedFault& fault :
             draw_plan(budget, {3, std::chrono::seconds(1), false}, random)) {
            if (fault.amount < Duration::zero()) ++behind[fault.hazard];
        }
    }
    for (const Hazard hazard :
         {Hazard::clock_offset, Hazard::clock_jump, Hazard::server_clock_jump}) {
        EXPECT_GT(behind[hazard], 700);
        EXPECT_LT(behind[hazard], 1100);
        behind.erase(hazard);
    }
    EXPECT_TRUE(behind.empty());
}

TEST(FaultPlanTest, a_late_reply_comes_before_the_time_out) {
    FaultBudget budget;
    budget[Hazard::delay_reply] = 1;
    const Duration ttl = std::chrono::seconds(1);
    const auto longest = [&](Duration timeout) {
        Duration most{0};
        for (std::uint64_t run = 0; run < 2000; ++run) {
            RandomChoices random(3, run);
            for (const PlannedFault& fault :
                 draw_plan(budget, {3, ttl, false, false, timeout}, random)) {
                EXPECT_GT(fault.amount, Duration::zero());
                most = std::max(most, fault.amount);
            }
        }
        return most;
    };
    EXPECT_GT(longest(Duration::zero()), ttl * 29 / 10);
    EXPECT_GT(longest(4 * ttl), ttl * 29 / 10);
    EXPECT_LE(longest(4 * ttl), 3 * ttl);
    EXPECT_LE(longest(ttl), ttl * 9 / 10);
    EXPECT_GT(longest(ttl), ttl * 8 / 10);
}

TEST(FaultPlanTest, a_lock_without_a_watchdog_is_never_stalled) {
    FaultBudget budget;
    budget[Hazard::stall] = 1;
    for (std::uint64_t run = 0; run < 100; ++run) {
        RandomChoices random(3, run);
        EXPECT_TRUE(draw_plan(budget, {3, std::chrono::seconds(1), false}, random).empty());
    }
}

TEST(FaultPlanTest, what_strikes_a_watchdog_comes_with_a_slow_job) {
    FaultBudget budget;
    budget[Hazard::stall] = 1;
    for (std::uint64_t run = 0; run < 100; ++run) {
        RandomChoices random(3, run);
        const auto plan = draw_plan(budget, {3, std::chrono::seconds(1), true}, random);
        if (plan.empty()) continue;
        ASSERT_EQ(plan.size(), 2U);
        EXPECT_EQ(plan[0].hazard, Hazard::stall);
        EXPECT_EQ(plan[1].hazard, Hazard::slow_job);
        EXPECT_EQ(plan[1].moment.client, plan[0].moment.client);
        EXPECT_EQ(plan[1].moment.round, plan[0].moment.round);
    }
}

}  // namespace
}  // namespace locklab::fault_test
