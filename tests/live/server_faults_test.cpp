// Runs whose server is struck by their plan: what happens to it, what each run is told, and that
// the rules allow what came of it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/check/disturbance.h"
#include "harness/check/judge.h"
#include "harness/check/token_order.h"
#include "harness/store/redis/key_shadow.h"
#include "harness/store/write_guard.h"
#include "tests/live/live_fixture.h"

namespace locklab::server_faults_test {
namespace {

constexpr ClientId kStruck{1};

LiveConfig struck_by(Hazard hazard, Duration amount) {
    LiveConfig config = struck_run(*algorithm_named("set_nx_lua"), 100,
                                   {{hazard, {kStruck, 2, Phase::inside, 0}, amount}});
    config.options.ttl = 400ms;
    config.options.clock_unit = 1ms;
    config.scale = 400ms;
    config.command_timeout = 80ms;
    return config;
}

/// Of what is planned for one run, another that is under way on the same server.
std::vector<LiveResult> with_another(const LiveConfig& struck, ManagedServers& servers) {
    LiveConfig other = struck;
    other.plan.clear();
    LiveLoop loop(servers);
    return run_all(loop, {struck, other});
}

/// Its key is its own, and nobody else's is gone.
TEST(StruckServers, an_eviction_takes_the_key_of_its_run_alone) {
    ManagedServers servers;
    auto results = with_another(struck_by(Hazard::evict, {}), servers);
    const auto faults = faults_of(results[0].history, Hazard::evict);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_TRUE(faults_of(results[1].history, Hazard::evict).empty());
    tell_effects(results[0].history);
    tell_effects(results[1].history);
    EXPECT_EQ(judge(results[1].history).verdict, Verdict::holds);
    // Who was inside finds its key gone, unless the next one has taken it since.
    const auto released = all_of<event::Released>(results[0].history);
    EXPECT_TRUE(std::ranges::any_of(
        released, [](const auto& noted) { return noted.detail->outcome == Release::not_ours; }));
}

/// Any key of its run, as in the simulator: a counter that is forgotten gives tokens out again.
TEST(StruckServers, an_eviction_takes_any_key_of_its_run) {
    LiveConfig config = struck_by(Hazard::evict, {});
    config.algorithm = algorithm_named("fenced");
    const PlannedFault first = config.plan[0];
    for (std::uint32_t round = 3; round < 25; ++round) {
        config.plan.push_back(first);
        config.plan.back().moment.round = round;
    }
    ManagedServers servers;
    const auto results = with_another(config, servers);
    const History& history = results[0].history;
    std::set<std::string> taken;
    for (const auto& fault : faults_of(history, Hazard::evict)) taken.insert(fault.detail->key);
    EXPECT_EQ(taken, (std::set<std::string>{"", history.key + ":fence"}));
    const KeyLog log(history);
    const std::vector<StaleToken> stale = stale_tokens(log);
    EXPECT_FALSE(stale.empty());
    for (const StaleToken& token : stale) EXPECT_EQ(token.cause, Cause::lost_data);
    EXPECT_TRUE(faults_of(results[1].history, Hazard::evict).empty());
    EXPECT_TRUE(stale_tokens(KeyLog(results[1].history)).empty()) << "its counter is its own";
}

/// What no eviction took away is no fault: somebody else's key is not ours to take.
TEST(StruckServers, an_eviction_that_finds_no_key_is_none) {
    ManagedServers servers;
    LiveConfig config = struck_by(Hazard::evict, {});
    config.algorithm = algorithm_named("no_lock");
    config.options = config.algorithm->defaults;
    auto results = with_another(config, servers);
    EXPECT_TRUE(faults_of(results[0].history, Hazard::evict).empty());
}

/// One of 400 ms is held by a client that is paused for two of them just before it writes.
LiveResult paused_before_writing(const char* lock, bool guarded, ManagedServers& servers) {
    LiveConfig config = struck_by(Hazard::pause, 800ms);
    config.plan[0].moment.nth = 1;
    config.plan.push_back(config.plan[0]);
    config.plan.back().moment.round = 5;
    config.algorithm = algorithm_named(lock);
    config.options.renewal = 10s;
    // The lock is nearly always held.
    config.workload.job = {20ms, 20ms};
    config.workload.think = {1ms, 1ms};
    config.grants = 100;
    config.guards_writes = guarded;
    LiveLoop loop(servers);
    return std::move(run_all(loop, {config})[0]);
}

std::size_t lost_updates(const LiveResult& result) {
    const auto wrote = all_of<event::Wrote>(result.history);
    return static_cast<std::size_t>(std::ranges::count_if(
        wrote, [](const auto& noted) { return noted.detail->base != noted.detail->previous; }));
}

TEST(GuardedWrites, do_nothing_unless_the_key_holds_their_token) {
    ManagedServers servers;
    const LiveResult plain = paused_before_writing("set_nx_lua", false, servers);
    EXPECT_GT(lost_updates(plain), 0U);
    EXPECT_TRUE(all_of<event::Denied>(plain.history).empty());
    const LiveResult guarded = paused_before_writing("set_nx_lua", true, servers);
    EXPECT_EQ(lost_updates(guarded), 0U);
    EXPECT_GT(all_of<event::Denied>(guarded.history).size(), 0U);
    EXPECT_GT(all_of<event::Wrote>(guarded.history).size(), 40U) << "holders write";
    // Every holder's key has the same value.
    EXPECT_GT(lost_updates(paused_before_writing("set_nx_del", true, servers)), 0U);
}

/// Its token may be a field of a hash.
TEST(GuardedWrites, know_what_holds_a_token) {
    ManagedServers servers;
    SyncConnection server(servers.endpoint());
    const auto ask = [&](const Command& command) { return server.command(command); };
    const Key key{"k"};
    const auto holds = [&](const char* token) {
        return ask(Command::eval(kHoldsToken, key, Token{token})).as_integer();
    };
    EXPECT_EQ(holds("a"), 0) << "there is no key";
    ask(Command::of("SET", key, "a"));
    EXPECT_EQ(holds("a"), 1);
    EXPECT_EQ(holds("b"), 0);
    ask(Command::of("DEL", key));
    ask(Command::of("HSET", key, "a", "1"));
    EXPECT_EQ(holds("a"), 1);
    EXPECT_EQ(holds("b"), 0);
    ask(Command::of("DEL", key));
    ask(Command::of("RPUSH", key, "a"));
    EXPECT_EQ(holds("a"), 0) << "a list is no lock's key";
}

TEST(GuardedWrites, are_refused_where_no_server_answers) {
    ManagedServers servers;
    LiveConfig config = struck_by(Hazard::freeze, 600ms);
    config.guards_writes = true;
    LiveLoop loop(servers);
    const LiveResult result = std::move(run_all(loop, {config})[0]);
    const auto faults = faults_of(result.history, Hazard::freeze);
    ASSERT_EQ(faults.size(), 1U);
    const Instant at = faults[0].event->at;
    for (const auto& [event, wrote] : all_of<event::Wrote>(result.history)) {
        EXPECT_TRUE(event->at < at || event->at >= at + 600ms) << "it hangs";
    }
    EXPECT_GE(result.grants, 100U);
    const auto denied = all_of<event::Denied>(result.history);
    ASSERT_FALSE(denied.empty());
    EXPECT_LT(denied[0].event->at, at + 1500ms) << "nobody waits for a server that hangs";
}

TEST(StruckServers, a_clock_that_jumps_is_told_to_each_run_and_is_right_in_the_next) {
    ManagedServers servers(Topology{}, ManagedServers::ItsClock::can_be_wrong);
    for (int i = 0; i < 2; ++i) {
        const auto results = with_another(struck_by(Hazard::server_clock_jump, 600ms), servers);
        for (const LiveResult& result : results) {
            const auto faults = faults_of(result.history, Hazard::server_clock_jump);
            ASSERT_EQ(faults.size(), 1U) << i;
            EXPECT_EQ(faults[0].detail->amount, 600ms);
        }
    }
}

/// A run that begins on a server whose clock is wrong has to know.
TEST(StruckServers, a_run_that_begins_later_is_told_that_the_clock_is_wrong) {
    ManagedServers servers(Topology{}, ManagedServers::ItsClock::can_be_wrong);
    LiveConfig later = struck_by(Hazard::server_clock_jump, 600ms);
    later.plan.clear();
    LiveLoop loop(servers);
    std::vector<LiveResult> results(2);
    loop.run({struck_by(Hazard::server_clock_jump, 600ms), later}, 1,
             [&](std::size_t index, LiveResult result) { results[index] = std::move(result); });
    const auto faults = faults_of(results[1].history, Hazard::server_clock_jump);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_GE(faults[0].detail->amount, 600ms);
    EXPECT_LE(faults[0].event->at, all_of<event::Sent>(results[1].history)[0].event->at);
}

/// The holder's key is a few milliseconds old: the server comes back without it, or with another's.
TEST(StruckServers, an_old_snapshot_is_as_old_as_is_noted) {
    ManagedServers servers;
    const auto results = with_another(struck_by(Hazard::restart_snapshot, 100ms), servers);
    for (const LiveResult& result : results) {
        const auto faults = faults_of(result.history, Hazard::restart_snapshot);
        ASSERT_EQ(faults.size(), 1U);
        EXPECT_GE(faults[0].detail->amount, 100ms);
        EXPECT_GE(result.grants, 100U);
        EXPECT_FALSE(result.server_lost);
    }
}

TEST(StruckServers, one_that_hangs_answers_when_it_goes_on) {
    ManagedServers servers;
    auto results = with_another(struck_by(Hazard::freeze, 600ms), servers);
    for (LiveResult& result : results) {
        const auto faults = faults_of(result.history, Hazard::freeze);
        ASSERT_EQ(faults.size(), 1U);
        EXPECT_EQ(faults[0].detail->amount, 600ms);
        const Instant at = faults[0].event->at;
        bool gives_up = false;
        for (const auto& [event, replied] : all_of<event::Replied>(result.history)) {
            const bool during = event->at > at + 80ms && event->at < at + 600ms;
            EXPECT_TRUE(!during || replied->reply.is_unknown());
            gives_up |= during;
        }
        EXPECT_TRUE(gives_up);
        EXPECT_FALSE(disturbance_of(result.history)) << "it is the plan's doing";
        EXPECT_GE(result.grants, 100U);
    }
}

TEST(StruckServers, one_that_hangs_as_the_last_run_ends_is_there_for_the_next) {
    ManagedServers servers;
    LiveConfig config = struck_by(Hazard::freeze, 1h);
    config.patience = 300ms;
    with_another(config, servers);
    EXPECT_FALSE(servers.hangs(NodeId{}));
    LiveLoop loop(servers);
    EXPECT_GE(run_all(loop, {short_run(10)})[0].grants, 10U);
}

}  // namespace
}  // namespace locklab::server_faults_test
