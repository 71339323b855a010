// Faults that meet one another, and messages that meet on one connection: what a campaign would
// hardly ever be seen to get wrong.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cluster/struck_run.h"

namespace locklab::strike_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(StrikeTest, a_shorter_stall_does_not_end_a_longer_one) {
    SimConfig setup = config("watchdog_owned", 1);
    setup.workload.think = setup.workload.away = {milliseconds(50), milliseconds(50)};
    setup.plan = {{Hazard::stall, {kA, 1, Phase::inside, 0}, seconds(2)},
                  {Hazard::stall, {kA, 2, Phase::inside, 0}, milliseconds(1)},
                  {Hazard::slow_job, {kA, 2, Phase::inside, 0}, seconds(1)}};
    const History history = run(setup);
    const Instant stalled = struck(history, Hazard::stall);
    for (const auto& [event, sent] : all<event::Sent>(history)) {
        if (event.phase != Phase::background) continue;
        EXPECT_GE(event.at, stalled + seconds(2));
    }
}

/// Regular pauses of a lone client: for their length it takes nothing in, whatever it is about,
/// and goes on where they end.
TEST(StrikeTest, a_regular_pause_stops_its_client_by_the_clock) {
    SimConfig setup = config("watchdog_owned", 1);
    setup.grants = 200;
    setup.pauses = {milliseconds(700), milliseconds(300)};
    const History history = run(setup);
    std::uint64_t awake = 0;
    for (const auto& [event, replied] : all<event::Replied>(history)) {
        const auto since = event.at.time_since_epoch() % milliseconds(700);
        EXPECT_TRUE(event.at < Instant(milliseconds(700)) || since >= milliseconds(300))
            << event.at.time_since_epoch().count();
        awake += since == milliseconds(300) ? 1 : 0;
    }
    EXPECT_GT(awake, 0U) << "what came in meanwhile is taken in as the pause ends";
    const auto pauses = all<event::Fault>(history);
    const auto length = history.end.time_since_epoch() / milliseconds(700);
    EXPECT_EQ(static_cast<std::int64_t>(pauses.size()), length);
    EXPECT_GT(length, 10);
}

TEST(StrikeTest, regular_pauses_strike_every_client_and_the_longer_one_counts) {
    SimConfig setup = config("no_lock", 3);
    setup.grants = 300;
    setup.pauses = {milliseconds(100), milliseconds(250)};
    const History history = run(setup);
    std::map<std::uint32_t, Instant> until;
    int number = 0;
    for (const Event& event : history.events) {
        if (const auto* fault = std::get_if<event::Fault>(&event.detail)) {
            EXPECT_EQ(fault->hazard, Hazard::pause);
            Instant& end = until[event.client.value];
            end = std::max(end, Instant(milliseconds(100) * ++number + milliseconds(250)));
        } else if (std::holds_alternative<event::Granted>(event.detail)) {
            const auto paused = until.find(event.client.value);
            EXPECT_TRUE(paused == until.end() || event.at >= paused->second);
        }
    }
    EXPECT_EQ(until.size(), 3U);
}

/// Else a campaign whose pauses met nobody would count as one that was struck.
TEST(StrikeTest, a_regular_pause_of_a_client_that_is_gone_is_none) {
    SimConfig setup = config("no_lock", 2);
    setup.grants = 200;
    setup.plan = {{Hazard::crash, {kA, 1, Phase::inside, 0}, {}}};
    setup.pauses = {milliseconds(100), milliseconds(10)};
    const History history = run(setup);
    const Instant gone = struck(history, Hazard::crash);
    std::size_t others = 0;
    for (const auto& [event, fault] : all<event::Fault>(history)) {
        if (fault.hazard != Hazard::pause || event.at < gone) continue;
        EXPECT_NE(event.client, kA);
        ++others;
    }
    EXPECT_GT(others, 10U);
}

TEST(StrikeTest, a_shorter_restart_does_not_end_a_longer_one) {
    SimConfig setup = config("set_nx_lua", 3);
    setup.plan = {{Hazard::restart, {kA, 1, Phase::inside, 0}, milliseconds(500)},
                  {Hazard::restart, {kA, 1, Phase::inside, 1}, Duration(0)}};
    const History history = run(setup);
    const Instant down = struck(history, Hazard::restart);
    for (const auto& [event, ran] : all<event::Executed>(history)) {
        EXPECT_FALSE(event.at > down && event.at < down + milliseconds(500));
    }
    EXPECT_EQ(all<event::Granted>(history).size(), 6U) << "and then it is back";
}

/// Another key than the lock's goes as well; what is on its way arrives.
TEST(StrikeTest, a_flush_takes_every_key_and_no_connection) {
    SimConfig setup = config("fenced", 2);
    setup.plan = {{Hazard::flush, {kA, 1, Phase::inside, 0}, Duration(0)}};
    const History history = run(setup);
    const Instant flushed = struck(history, Hazard::flush);
    std::uint64_t before = 0;
    std::uint64_t after = 0;  // the first number since then
    for (const auto& [event, grant] : all<event::Granted>(history)) {
        if (event.at <= flushed) before = grant.fence;
        if (event.at > flushed && after == 0) after = grant.fence;
    }
    EXPECT_GT(before, 0U);
    EXPECT_EQ(after, 1U) << "the counter begins anew";
    for (const auto& [event, replied] : all<event::Replied>(history)) {
        EXPECT_FALSE(event.at > flushed && replied.reply.is_unknown());
    }
}

/// A client gives up meanwhile, and its command runs all the same; keys expire by the clock.
TEST(StrikeTest, a_server_that_hangs_runs_what_came_when_it_goes_on) {
    SimConfig setup = config("set_nx_lua", 3);
    setup.plan = {{Hazard::freeze, {kA, 1, Phase::inside, 0}, seconds(2)}};
    const History history = run(setup);
    const Instant hangs = struck(history, Hazard::freeze);
    const Instant goes_on = hangs + seconds(2);
    std::size_t as_it_goes_on = 0;
    for (const auto& [event, ran] : all<event::Executed>(history)) {
        EXPECT_FALSE(event.at > hangs && event.at < goes_on);
        as_it_goes_on += event.at >= goes_on && event.at < goes_on + milliseconds(1) ? 1 : 0;
    }
    EXPECT_GT(as_it_goes_on, 1U);
    const auto replied = all<event::Replied>(history);
    EXPECT_TRUE(std::ranges::any_of(replied, [&](const auto& each) {
        return each.second.reply.is_unknown() && each.first.at < goes_on;
    })) << "a client that asked gives up";
    EXPECT_EQ(all<event::Granted>(history).size(), 6U) << "and then it is back";
}

TEST(StrikeTest, an_error_answers_in_place_of_running) {
    SimConfig setup = config("set_nx_lua", 1);
    for (const ErrorKind kind : {ErrorKind::oom, ErrorKind::noscript}) {
        setup.plan = {{Hazard::error_reply, {kA, 1, Phase::acquire, 0}, {}, {}, {}, kind}};
        const History history = run(setup);
        const First first = first_command(history);
        EXPECT_FALSE(first.ran);
        const ErrorKind fitting = kind == ErrorKind::noscript ? ErrorKind::loading : kind;
        EXPECT_EQ(first.reply, Reply::error(std::string(row_of(fitting).words)));
        EXPECT_EQ(first.told, first.sent + milliseconds(2)) << "there and back";
        EXPECT_EQ(all<event::Fault>(history).at(0).second.error, fitting);
        EXPECT_EQ(all<event::Failed>(history).size(), 1U) << "an error is no refusal";
        EXPECT_EQ(all<event::Granted>(history).size(), 6U);
    }
}

TEST(StrikeTest, a_reset_is_known_at_once_and_hides_whether_the_command_ran) {
    for (const bool ran : {false, true}) {
        SimConfig setup = config("set_nx_lua", 1);
        setup.plan = {{Hazard::reset, {kA, 1, Phase::acquire, 0}, {}, {}, {}, {}, ran}};
        const History history = run(setup);
        const First first = first_command(history);
        EXPECT_EQ(first.ran, ran);
        EXPECT_TRUE(first.reply.is_unknown());
        EXPECT_EQ(first.told, first.sent + milliseconds(2)) << "long before its time-out";
        EXPECT_EQ(all<event::Fault>(history).at(0).second.ran, ran);
        EXPECT_EQ(all<event::Granted>(history).size(), 6U);
    }
}

TEST(StrikeTest, a_reply_that_has_reached_its_client_outlives_a_restart) {
    SimConfig setup = config("set_nx_lua", 1);
    setup.plan = {{Hazard::restart, {kA, 1, Phase::acquire, 0}, Duration(0)}};
    const History history = run(setup);
    const Instant restart = struck(history, Hazard::restart);
    const auto [told_at, told] = all<event::Replied>(history).at(0);
    EXPECT_EQ(told_at.at, restart);
    EXPECT_FALSE(told.reply.is_unknown());
}

TEST(StrikeTest, a_restart_breaks_what_is_under_way) {
    SimConfig setup = config("set_nx_lua", 3);
    setup.latency = Latency::constant(milliseconds(20));
    setup.plan = {{Hazard::restart, {kA, 1, Phase::inside, 0}, Duration(0)}};
    const History history = run(setup);
    const Instant restart = struck(history, Hazard::restart);
    int broken = 0;
    for (const auto& [sent_at, sent] : all<event::Sent>(history)) {
        for (const auto& [told_at, told] : all<event::Replied>(history)) {
            if (told.call != sent.call) continue;
            const bool under_way = sent_at.at < restart && told_at.at > restart;
            EXPECT_EQ(told.reply.is_unknown(), under_way) << to_string(sent.command);
            broken += under_way ? 1 : 0;
        }
    }
    EXPECT_GT(broken, 0);
}

TEST(StrikeTest, a_snapshot_does_not_bring_an_evicted_key_back) {
    SimConfig setup = config("setnx_del", 1);
    setup.plan = {{Hazard::evict, {kA, 1, Phase::inside, 0}, Duration(0)},
                  {Hazard::restart_snapshot, {kA, 1, Phase::inside, 1}, milliseconds(1)}};
    const auto released = all<event::Released>(run(setup));
    ASSERT_FALSE(released.empty());
    EXPECT_EQ(released[0].second.outcome, Release::not_ours);
}

TEST(StrikeTest, a_jump_adds_to_a_clock_that_is_off) {
    SimConfig setup = config("setnx_getset_objects", 2);
    setup.plan = {{Hazard::clock_offset, {kA, 1, Phase::idle, 0}, seconds(1)},
                  {Hazard::clock_jump, {kA, 1, Phase::inside, 0}, seconds(2)}};
    RandomChoices choices(1);
    ScriptEngine scripts;
    Simulator simulator(setup, choices, scripts);
    simulator.run();
    EXPECT_EQ(simulator.cluster().now(kA) - simulator.cluster().now(ClientId{1}), seconds(3));
}

TEST(StrikeTest, the_oracle_mutex_of_a_crashed_client_is_free) {
    SimConfig setup = config("perfect_lock", 2);
    setup.plan = {{Hazard::crash, {kA, 1, Phase::inside, 0}, Duration(0)}};
    EXPECT_EQ(all<event::Granted>(run(setup)).size(), 6U);
}

TEST(StrikeTest, a_client_that_crashed_is_told_nothing) {
    SimConfig setup = config("set_nx_lua", 2);
    setup.plan = {{Hazard::crash, {kA, 1, Phase::release, 0}, Duration(0)}};
    const History history = run(setup);
    const Instant crash = struck(history, Hazard::crash);
    for (const auto& [event, told] : all<event::Replied>(history)) {
        EXPECT_FALSE(event.client == kA && event.at >= crash);
    }
}

TEST(StrikeTest, a_client_library_that_is_paused_sends_nothing_again) {
    SimConfig setup = config("watchdog_owned", 1);
    setup.plan = {{Hazard::slow_job, {kA, 1, Phase::inside, 0}, milliseconds(350)},
                  {Hazard::retry, {kA, 1, Phase::background, 0}, Duration(0)},
                  {Hazard::pause, {kA, 1, Phase::inside, 1}, seconds(3)}};
    const History history = run(setup);
    const Instant pause = struck(history, Hazard::pause);
    for (const auto& [event, ran] : all<event::Executed>(history)) {
        EXPECT_FALSE(event.at > pause + milliseconds(2) && event.at < pause + seconds(3));
    }
}

TEST(StrikeTest, a_client_library_that_crashed_sends_nothing_again) {
    SimConfig setup = config("watchdog_owned", 2);
    setup.plan = {{Hazard::slow_job, {kA, 1, Phase::inside, 0}, milliseconds(350)},
                  {Hazard::retry, {kA, 1, Phase::background, 0}, Duration(0)},
                  {Hazard::crash, {kA, 1, Phase::inside, 1}, Duration(0)}};
    const History history = run(setup);
    EXPECT_GT(struck(history, Hazard::crash), struck(history, Hazard::retry));
    for (const auto& [at, fault] : all<event::Fault>(history)) {
        if (fault.hazard != Hazard::retry) continue;
        const auto ran = all<event::Executed>(history);
        EXPECT_EQ(std::count_if(ran.begin(), ran.end(),
                                [&](const auto& r) { return r.second.call == fault.call; }),
                  1);
    }
}

TEST(StrikeTest, an_answer_that_takes_longer_than_the_timeout_is_none) {
    SimConfig setup = config("set_nx_lua", 1);
    setup.latency = Latency::constant(setup.command_timeout * 3 / 4);
    setup.patience = seconds(2);
    const History history = run(setup);
    const auto told = all<event::Replied>(history);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told[0].first.at, Instant() + setup.command_timeout);
    EXPECT_TRUE(told[0].second.reply.is_unknown());
    EXPECT_FALSE(all<event::Executed>(history).empty());
}

/// Sends three commands at once from background tasks, which share a connection; says that the
/// lock is lost when it was given back.
class ChattyLock final : public Lock {
public:
    explicit ChattyLock(Client& client) : client_(client) {}
    Task<Acquired> try_acquire() override {
        for (const char* key : {"first", "second", "third"}) client_.spawn(ask(Key{key}));
        co_return Grant{};
    }
    Task<Release> release() override {
        client_.lost();
        co_return Release::yes;
    }

private:
    Task<> ask(Key key) { co_await client_.command("GET", key); }
    Client& client_;
};

Algorithm chatty() {
    Algorithm algorithm = *algorithm_named("no_lock");
    algorithm.make = [](Client& client, const Key&, const LockOptions&) -> std::unique_ptr<Lock> {
        return std::make_unique<ChattyLock>(client);
    };
    return algorithm;
}

TEST(StrikeTest, commands_of_one_connection_arrive_in_the_order_of_sending) {
    const Algorithm algorithm = chatty();
    SimConfig setup = config(algorithm, 1);
    setup.grants = 200;
    setup.latency = Latency::parse("uniform:10us-50ms");
    std::vector<std::uint64_t> calls;
    for (const auto& [event, ran] : all<event::Executed>(run(setup))) calls.push_back(ran.call);
    EXPECT_TRUE(std::is_sorted(calls.begin(), calls.end()));
    EXPECT_GT(calls.size(), 590U) << "and each of them arrives";
}

/// Ends a background task that is over by itself; another has its place by then.
class ForgetfulLock final : public Lock {
public:
    explicit ForgetfulLock(Client& client) : client_(client) {}
    Task<Acquired> try_acquire() override {
        Background over = client_.spawn(nothing());
        client_.spawn(ask_twice(Key{"k"}));
        client_.cancel(over);
        co_return Grant{};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    Task<> nothing() { co_return; }
    Task<> ask_twice(Key key) {
        co_await client_.command("GET", key);
        co_await client_.command("GET", key);
    }
    Client& client_;
};

TEST(StrikeTest, ending_a_task_that_is_over_ends_no_other) {
    Algorithm algorithm = *algorithm_named("no_lock");
    algorithm.make = [](Client& client, const Key&, const LockOptions&) -> std::unique_ptr<Lock> {
        return std::make_unique<ForgetfulLock>(client);
    };
    SimConfig setup = config(algorithm, 1);
    setup.grants = 1;
    EXPECT_EQ(all<event::Executed>(run(setup)).size(), 2U);
}

TEST(StrikeTest, who_is_not_inside_loses_nothing) {
    const Algorithm algorithm = chatty();
    const History history = run(config(algorithm, 1));
    EXPECT_TRUE(all<event::Lost>(history).empty());
    EXPECT_EQ(all<event::Leaving>(history).size(), 6U);
}

}  // namespace
}  // namespace locklab::strike_test
