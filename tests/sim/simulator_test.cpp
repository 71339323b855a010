#include "harness/sim/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithms/registry.h"
#include "harness/core/random_choices.h"
#include "harness/core/run_spec.h"
#include "harness/explore/sim_run.h"

namespace locklab::simulator_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Runs of a lock with a plan that is written down, two clients, a TTL of 1 s.
class SimulatorTest : public testing::Test {
protected:
    SimConfig config(std::string_view name) {
        const Algorithm& algorithm = *algorithm_named(name);
        LockOptions options = algorithm.defaults;
        options.clock_unit = milliseconds(1);
        if (options.ttl != Duration::zero()) options.ttl = seconds(1);
        if (options.renewal != Duration::zero()) options.renewal = milliseconds(300);
        RunSpec spec = make_run_spec(algorithm, options, seconds(1), FaultBudget());
        spec.clients = 2;
        spec.grants = 6;
        return sim_config(spec);
    }

    History run(const SimConfig& setup, std::uint64_t seed = 1) {
        RandomChoices choices(seed);
        Simulator simulator(setup, choices, scripts_);
        simulator.run();
        return simulator.take_history();
    }

    History struck(std::string_view name, Hazard hazard, Phase phase, Duration amount,
                   std::uint32_t nth = 0) {
        SimConfig setup = config(name);
        setup.plan = {{hazard, {ClientId{0}, 1, phase, nth}, amount}};
        return run(setup);
    }

    ScriptEngine scripts_;
};

template <class Detail>
std::vector<std::pair<Event, Detail>> all(const History& history) {
    std::vector<std::pair<Event, Detail>> found;
    for (const Event& event : history.events) {
        if (const auto* detail = std::get_if<Detail>(&event.detail)) {
            found.emplace_back(event, *detail);
        }
    }
    return found;
}

/// The one fault that was noted; fails the test if there is not one.
std::pair<Event, event::Fault> the_fault(const History& history, Hazard hazard) {
    const auto faults = all<event::Fault>(history);
    EXPECT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults.at(0).second.hazard, hazard);
    return faults.at(0);
}

TEST_F(SimulatorTest, grants_as_many_as_asked_and_finishes) {
    const History history = run(config("set_nx_lua"));
    EXPECT_EQ(all<event::Granted>(history).size(), 6U);
    EXPECT_EQ(all<event::Finished>(history).size(), 2U);
    EXPECT_EQ(all<event::Released>(history).size(), 6U);
    EXPECT_TRUE(std::is_sorted(history.events.begin(), history.events.end(),
                               [](const Event& a, const Event& b) { return a.at < b.at; }));
}

TEST_F(SimulatorTest, a_job_that_took_the_lock_again_writes_with_its_last_grant) {
    SimConfig setup = config("reentrant_watchdog");
    setup.clients = 1;
    setup.grants = 2;
    setup.workload.takes_again = Workload::Again::always;
    const auto wrote = all<event::Wrote>(run(setup));
    ASSERT_EQ(wrote.size(), 1U);
    EXPECT_EQ(wrote[0].second.grant, 2U);
}

TEST_F(SimulatorTest, every_executed_command_was_sent_and_is_answered_once) {
    const History history = run(config("set_nx_lua"));
    std::map<std::uint64_t, int> sent;
    std::map<std::uint64_t, int> executed;
    for (const auto& [event, detail] : all<event::Sent>(history)) ++sent[detail.call];
    for (const auto& [event, detail] : all<event::Executed>(history)) ++executed[detail.call];
    EXPECT_EQ(sent, executed);
    EXPECT_EQ(all<event::Replied>(history).size(), sent.size());
}

TEST_F(SimulatorTest, a_crashed_client_is_never_heard_of_again) {
    const History history = struck("set_nx_lua", Hazard::crash, Phase::inside, Duration(0));
    const auto [crash, fault] = the_fault(history, Hazard::crash);
    bool after = false;
    for (const Event& event : history.events) {
        if (after && event.client == ClientId{0}) {
            EXPECT_TRUE(std::holds_alternative<event::Executed>(event.detail))
                << "only what was on its way may still be executed";
        }
        after = after || std::holds_alternative<event::Fault>(event.detail);
    }
    EXPECT_EQ(all<event::Finished>(history).size(), 1U);
    EXPECT_EQ(all<event::Granted>(history).size(), 6U) << "the other goes on after the TTL";
}

/// Client 0 leaves the key for ever; how long client 1 waits from each refusal to its next try.
TEST_F(SimulatorTest, who_backs_off_waits_longer_after_each_refusal_up_to_a_limit) {
    const auto waits = [&](WaitPolicy::Kind kind) {
        SimConfig setup = config("setnx_del");
        setup.workload.wait = {kind, milliseconds(10)};
        setup.plan = {{Hazard::crash, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
        std::vector<Duration> found;
        Instant refused{};
        for (const Event& event : run(setup).events) {
            if (event.client != ClientId{1}) continue;
            if (std::holds_alternative<event::Refused>(event.detail)) refused = event.at;
            const bool tries = std::holds_alternative<event::Sent>(event.detail);
            if (tries && refused != Instant{}) found.push_back(event.at - refused);
        }
        EXPECT_GT(found.size(), 10U);
        return found;
    };
    for (const Duration wait : waits(WaitPolicy::Kind::fixed)) EXPECT_EQ(wait, milliseconds(10));
    for (const Duration wait : waits(WaitPolicy::Kind::jitter)) {
        EXPECT_GE(wait, milliseconds(5));
        EXPECT_LE(wait, milliseconds(15));
    }
    const std::vector<Duration> longer = waits(WaitPolicy::Kind::exponential);
    for (std::size_t i = 0; i < longer.size(); ++i) {
        EXPECT_GE(longer[i], milliseconds(5));
        EXPECT_LE(longer[i], milliseconds(10 << std::min<std::size_t>(i, 6)));
    }
    EXPECT_TRUE(std::any_of(longer.begin(), longer.end(),
                            [](Duration wait) { return wait > milliseconds(320); }));
}

/// Every message as fast, every wait as long as can be.
class LongestWaits final : public Choices {
public:
    std::uint32_t pick(ChoiceKind kind, std::uint32_t count) override {
        return kind == ChoiceKind::workload ? count - 1 : 0;
    }
};

TEST_F(SimulatorTest, who_gave_up_and_comes_again_backs_off_anew) {
    SimConfig setup = config("setnx_del");
    setup.latency = Latency::instant();
    setup.workload.wait = {WaitPolicy::Kind::exponential, milliseconds(10)};
    setup.workload.give_up = milliseconds(500);
    setup.plan = {{Hazard::crash, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
    LongestWaits choices;
    Simulator simulator(setup, choices, scripts_);
    simulator.run();
    const auto refused = all<event::Refused>(simulator.take_history());
    const std::vector<std::int64_t> waits{10, 20, 40, 80, 160, 320, 10, 20};
    ASSERT_GT(refused.size(), waits.size());
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const Duration waited = refused[i + 1].first.at - refused[i].first.at;
        EXPECT_EQ((us(waited) + 500) / 1000, waits[i]) << i;
    }
}

/// The first watchdog still sleeps when its job is over; the next job is under way as it would
/// wake.
TEST_F(SimulatorTest, a_timer_of_a_watchdog_that_was_ended_does_not_wake_the_next) {
    SimConfig setup = config("watchdog_owned");
    setup.clients = 1;
    setup.grants = 2;
    setup.workload.job = {milliseconds(10), milliseconds(10)};
    setup.workload.think = setup.workload.away = {milliseconds(100), milliseconds(100)};
    setup.plan = {{Hazard::slow_job, {ClientId{0}, 2, Phase::inside, 0}, milliseconds(800)}};
    const History history = run(setup);
    const Instant granted = all<event::Granted>(history).back().first.at;
    std::vector<Instant> renewed;
    for (const auto& [event, sent] : all<event::Sent>(history)) {
        if (event.phase == Phase::background) renewed.push_back(event.at);
    }
    ASSERT_EQ(renewed.size(), 2U);
    EXPECT_EQ(renewed[0], granted + milliseconds(300));
}

TEST_F(SimulatorTest, a_crash_that_leaves_the_key_for_ever_ends_the_run_after_its_patience) {
    SimConfig setup = config("setnx_del");
    setup.patience = seconds(5);
    setup.plan = {{Hazard::crash, {ClientId{0}, 1, Phase::inside, 0}, Duration(0)}};
    const History history = run(setup);
    EXPECT_LT(all<event::Granted>(history).size(), 6U);
    EXPECT_EQ(history.end, all<event::Granted>(history).back().first.at + seconds(5));
}

TEST_F(SimulatorTest, a_pause_holds_up_worker_and_watchdog) {
    const History history = struck("watchdog_owned", Hazard::pause, Phase::inside, seconds(2));
    const auto [pause, fault] = the_fault(history, Hazard::pause);
    for (const Event& event : history.events) {
        if (event.client != ClientId{0} || event.at <= pause.at) continue;
        if (std::holds_alternative<event::Executed>(event.detail)) continue;
        EXPECT_GE(event.at, pause.at + seconds(2));
    }
}

TEST_F(SimulatorTest, a_stall_holds_up_the_watchdog_only) {
    SimConfig setup = config("watchdog_owned");
    const Moment moment{ClientId{0}, 1, Phase::inside, 0};
    setup.plan = {{Hazard::stall, moment, seconds(2)}, {Hazard::slow_job, moment, seconds(1)}};
    const History history = run(setup);
    Instant stalled{};
    bool worker_went_on = false;
    for (const Event& event : history.events) {
        const auto* fault = std::get_if<event::Fault>(&event.detail);
        if (fault != nullptr && fault->hazard == Hazard::stall) stalled = event.at;
        if (stalled == Instant{} || event.client != ClientId{0}) continue;
        if (event.at >= stalled + seconds(2)) break;
        EXPECT_NE(event.phase, Phase::background);
        worker_went_on = worker_went_on || std::holds_alternative<event::Leaving>(event.detail);
    }
    EXPECT_NE(stalled, Instant{});
    EXPECT_TRUE(worker_went_on);
}

TEST_F(SimulatorTest, a_lost_request_is_never_executed_and_ends_in_unknown) {
    const History history = struck("set_nx_lua", Hazard::lose_request, Phase::acquire, Duration(0));
    const auto [event, fault] = the_fault(history, Hazard::lose_request);
    for (const auto& [at, executed] : all<event::Executed>(history)) {
        EXPECT_NE(executed.call, fault.call);
    }
    for (const auto& [at, replied] : all<event::Replied>(history)) {
        if (replied.call != fault.call) continue;
        EXPECT_TRUE(replied.reply.is_unknown());
        EXPECT_EQ(at.at, event.at + config("set_nx_lua").command_timeout);
    }
    EXPECT_TRUE(all<event::Refused>(history).at(0).second.unsure);
}

TEST_F(SimulatorTest, a_lost_reply_hides_a_command_that_was_executed) {
    const History history = struck("set_nx_lua", Hazard::lose_reply, Phase::release, Duration(0));
    const auto [event, fault] = the_fault(history, Hazard::lose_reply);
    int executed = 0;
    for (const auto& [at, detail] : all<event::Executed>(history)) {
        if (detail.call != fault.call) continue;
        ++executed;
        EXPECT_EQ(detail.reply, Reply::integer(1));
    }
    EXPECT_EQ(executed, 1);
    const auto released = all<event::Released>(history);
    EXPECT_EQ(std::count_if(released.begin(), released.end(),
                            [](const auto& r) { return r.second.outcome == Release::unknown; }),
              1);
}

TEST_F(SimulatorTest, a_delayed_request_is_executed_after_its_client_gave_up) {
    SimConfig setup = config("set_nx_lua");
    setup.grants = 50;
    setup.plan = {{Hazard::delay_request, {ClientId{0}, 1, Phase::acquire, 0}, milliseconds(700)}};
    const History history = run(setup);
    const auto [event, fault] = the_fault(history, Hazard::delay_request);
    Instant gave_up{};
    Instant executed{};
    for (const auto& [at, replied] : all<event::Replied>(history)) {
        if (replied.call == fault.call) gave_up = at.at;
    }
    for (const auto& [at, detail] : all<event::Executed>(history)) {
        if (detail.call == fault.call) executed = at.at;
    }
    EXPECT_EQ(gave_up, event.at + setup.command_timeout);
    EXPECT_GE(executed, event.at + milliseconds(700));
}

TEST_F(SimulatorTest, a_delayed_reply_is_of_a_command_that_ran_at_once) {
    SimConfig setup = config("set_nx_lua");
    setup.grants = 50;
    setup.command_timeout = seconds(40);
    setup.plan = {{Hazard::delay_reply, {ClientId{0}, 1, Phase::acquire, 0}, seconds(12)}};
    const History history = run(setup);
    const auto [event, fault] = the_fault(history, Hazard::delay_reply);
    Instant executed{};
    Instant replied{};
    for (const auto& [at, detail] : all<event::Executed>(history)) {
        if (detail.call == fault.call) executed = at.at;
    }
    for (const auto& [at, detail] : all<event::Replied>(history)) {
        if (detail.call != fault.call) continue;
        replied = at.at;
        EXPECT_FALSE(detail.reply.is_unknown());
    }
    EXPECT_GE(executed, event.at);
    EXPECT_LT(executed, event.at + milliseconds(100));
    EXPECT_GE(replied, executed + seconds(12));
    EXPECT_LT(replied, executed + seconds(13));
}

TEST_F(SimulatorTest, a_delayed_reply_that_comes_after_the_time_out_is_none) {
    SimConfig setup = config("set_nx_lua");
    setup.grants = 50;
    setup.plan = {{Hazard::delay_reply, {ClientId{0}, 1, Phase::acquire, 0}, milliseconds(700)}};
    const History history = run(setup);
    const auto [event, fault] = the_fault(history, Hazard::delay_reply);
    for (const auto& [at, detail] : all<event::Replied>(history)) {
        if (detail.call != fault.call) continue;
        EXPECT_TRUE(detail.reply.is_unknown());
        EXPECT_EQ(at.at, event.at + setup.command_timeout);
    }
}

TEST_F(SimulatorTest, a_retry_executes_the_same_command_twice_and_tells_the_second_reply) {
    const History history = struck("set_nx_lua", Hazard::retry, Phase::acquire, Duration(0));
    const auto [event, fault] = the_fault(history, Hazard::retry);
    std::vector<std::string> words;
    std::vector<Reply> replies;
    for (const auto& [at, detail] : all<event::Executed>(history)) {
        if (detail.call != fault.call) continue;
        words.push_back(to_string(detail.command));
        replies.push_back(detail.reply);
    }
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(words[0], words[1]);
    for (const auto& [at, replied] : all<event::Replied>(history)) {
        if (replied.call == fault.call) {
            EXPECT_EQ(replied.reply, replies[1]);
        }
        EXPECT_FALSE(replied.reply.is_unknown());
    }
}

TEST_F(SimulatorTest, a_restart_forgets_the_key_and_breaks_what_was_under_way) {
    const History history = struck("set_nx_lua", Hazard::restart, Phase::inside, milliseconds(50));
    const auto [restart, fault] = the_fault(history, Hazard::restart);
    for (const auto& [event, detail] : all<event::Executed>(history)) {
        EXPECT_FALSE(event.at > restart.at && event.at < restart.at + milliseconds(50));
    }
    const auto released = all<event::Released>(history);
    EXPECT_TRUE(std::any_of(released.begin(), released.end(),
                            [](const auto& r) { return r.second.outcome == Release::not_ours; }));
}

TEST_F(SimulatorTest, an_evicted_key_and_a_clock_that_jumped_ahead_let_another_in) {
    for (const Hazard hazard : {Hazard::evict, Hazard::server_clock_jump}) {
        const History history = struck("set_nx_lua", hazard, Phase::inside, seconds(2));
        the_fault(history, hazard);
        const auto released = all<event::Released>(history);
        EXPECT_TRUE(std::any_of(released.begin(), released.end(), [](const auto& r) {
            return r.second.outcome == Release::not_ours;
        })) << name_of(hazard);
    }
}

TEST_F(SimulatorTest, a_snapshot_brings_a_released_key_back) {
    SimConfig setup = config("setnx_del");
    setup.patience = seconds(5);
    setup.latency = Latency::constant(milliseconds(1));
    // The key was there while client 0 was inside; the restart comes as it has just left.
    setup.plan = {{Hazard::restart_snapshot, {ClientId{0}, 1, Phase::release, 0}, milliseconds(2)}};
    const History history = run(setup);
    the_fault(history, Hazard::restart_snapshot);
    EXPECT_LT(all<event::Granted>(history).size(), 6U) << "nobody ever deletes that key";
}

TEST_F(SimulatorTest, only_the_clock_of_its_client_is_off) {
    SimConfig setup = config("setnx_getset_objects");
    setup.clients = 3;
    setup.plan = {{Hazard::clock_offset, {ClientId{1}, 1, Phase::idle, 0}, seconds(500)}};
    RandomChoices choices(1);
    Simulator simulator(setup, choices, scripts_);
    EXPECT_EQ(simulator.cluster().now(ClientId{1}) - simulator.cluster().now(ClientId{0}),
              seconds(500));
    EXPECT_EQ(simulator.cluster().now(ClientId{2}), simulator.cluster().now(ClientId{0}));
    EXPECT_EQ(simulator.cluster().monotonic(ClientId{1}),
              simulator.cluster().monotonic(ClientId{0}));
}

TEST_F(SimulatorTest, every_algorithm_runs_calmly_and_under_every_latency) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const char* latency :
             {"instant", "constant:1ms", "uniform:10us-5ms", "lognormal:200us,0.5"}) {
            SimConfig setup = config(algorithm.name);
            setup.latency = Latency::parse(latency);
            CalmChoices calm;
            Simulator simulator(setup, calm, scripts_);
            for (int steps = 0; simulator.step(); ++steps) {
                ASSERT_LT(steps, 100'000) << algorithm.name << " under " << latency;
            }
            const History history = simulator.take_history();
            EXPECT_EQ(all<event::Finished>(history).size(), 2U) << algorithm.name << latency;
            EXPECT_GE(all<event::Granted>(history).size(), 6U) << algorithm.name << latency;
        }
    }
}

}  // namespace
}  // namespace locklab::simulator_test
