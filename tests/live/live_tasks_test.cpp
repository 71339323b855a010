// Live: tasks of a process share a lock object, and what befalls one of them befalls all.

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/live/live_fixture.h"

namespace locklab::live_tasks_test {
namespace {

/// Two processes of two tasks.
LiveConfig two_by_two(const char* lock, std::uint64_t grants = 40) {
    LiveConfig config = short_run(*algorithm_named(lock), grants);
    config.clients = 2;
    config.tasks = 2;
    // Long enough for the others to get the lock, so that every task has its rounds.
    config.workload.think = {10ms, 10ms};
    return config;
}

std::vector<ClientId> struck(const History& history, Hazard hazard) {
    std::vector<ClientId> clients;
    for (const auto& fault : faults_of(history, hazard)) clients.push_back(fault.event->client);
    return clients;
}

TEST(LiveTasks, a_crash_is_the_end_of_every_task_of_the_process) {
    LiveConfig config = two_by_two("perfect_lock");
    config.plan = {{Hazard::crash, {ClientId{1}, 1, Phase::inside, 0}}};
    const LiveResult result = run_one(config);
    EXPECT_EQ(result.history.tasks, 2U);
    EXPECT_EQ(struck(result.history, Hazard::crash).size(), 2U);
    EXPECT_EQ(all_of<event::Finished>(result.history).size(), 2U);
    EXPECT_EQ(judge(result.history).verdict, Verdict::holds);
    bool is_over = false;
    for (const Event& event : result.history.events) {
        if (event.client.value >= 2) continue;
        const bool crashes = std::holds_alternative<event::Fault>(event.detail);
        EXPECT_TRUE(!is_over || crashes);
        is_over = is_over || crashes;
    }
}

TEST(LiveTasks, a_pause_holds_up_every_task_of_the_process) {
    LiveConfig config = two_by_two("watchdog_owned");
    config.plan = {{Hazard::pause, {ClientId{2}, 1, Phase::inside, 0}, 100ms}};
    const LiveResult result = run_one(config);
    const auto clients = struck(result.history, Hazard::pause);
    ASSERT_EQ(clients.size(), 2U);
    EXPECT_EQ(clients[0].value / 2, 1U);
    EXPECT_EQ(clients[1].value / 2, 1U);
    EXPECT_NE(clients[0], clients[1]);
}

TEST(LiveTasks, a_re_entrant_lock_lets_in_both) {
    History history = run_one(two_by_two("reentrant_watchdog")).history;
    tell_effects(history);
    const Judgement found = judge(history);
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_GT(found.causes[Cause::shared_object], 0U);
}

}  // namespace
}  // namespace locklab::live_tasks_test
