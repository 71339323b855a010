#include "harness/live/live_loop.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <set>
#include <stdexcept>

#include "harness/store/redis/key_shadow.h"
#include "tests/live/live_fixture.h"

namespace locklab::live_loop_test {
namespace {

/// Clients inside at the same time, at most; by order of events, which is the true order.
int most_inside(const History& history) {
    int inside = 0;
    int most = 0;
    for (const Event& event : history.events) {
        if (std::holds_alternative<event::Granted>(event.detail)) most = std::max(most, ++inside);
        if (std::holds_alternative<event::Leaving>(event.detail)) --inside;
    }
    return most;
}

bool times_never_decrease(const History& history) {
    Instant last;
    for (const Event& event : history.events) {
        if (event.at < last) return false;
        last = event.at;
    }
    return history.end >= last;
}

int unknowns(const History& history) {
    int count = 0;
    for (const auto& [event, replied] : all_of<event::Replied>(history)) {
        count += replied->reply.is_unknown() ? 1 : 0;
    }
    return count;
}

std::string complaint(LiveLoop& loop, Hazard hazard) {
    LiveConfig config = short_run(1);
    config.plan = {{hazard, {ClientId{0}}}};
    try {
        run_all(loop, {config});
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(LiveLoop, one_client_alone_gets_the_lock_each_time) {
    LiveConfig config = short_run(20);
    config.clients = 1;
    config.run = 7;
    LiveResult result = run_one(config);
    History& history = result.history;
    tell_effects(history);
    EXPECT_EQ(history.world, "live");
    EXPECT_EQ(history.algorithm, "set_nx_lua");
    EXPECT_EQ(history.run, 7u);
    EXPECT_EQ(result.grants, 20u);
    EXPECT_EQ(result.commands, 40u);
    EXPECT_FALSE(result.server_lost);
    EXPECT_EQ(all_of<event::Granted>(history).size(), 20u);
    EXPECT_EQ(all_of<event::Refused>(history).size(), 0u);
    EXPECT_EQ(all_of<event::Executed>(history).size(), 40u);
    EXPECT_EQ(all_of<event::Wrote>(history).size(), 20u);
    EXPECT_EQ(all_of<event::Finished>(history).size(), 1u);
    for (const auto& [event, released] : all_of<event::Released>(history)) {
        EXPECT_EQ(released->outcome, Release::yes);
    }
    for (const auto& [event, executed] : all_of<event::Executed>(history)) {
        EXPECT_LE(executed->sent, event->at);
        EXPECT_NE(executed->effect.kind, KeyEffect::Kind::none);
        EXPECT_EQ(executed->effect.source, KeyEffect::Source::replayed);
    }
}

TEST(LiveLoop, contenders_are_never_inside_together) {
    const LiveResult result = run_one(short_run(50));
    EXPECT_GE(result.grants, 50u);
    EXPECT_EQ(most_inside(result.history), 1);
    EXPECT_TRUE(times_never_decrease(result.history));
    EXPECT_EQ(unknowns(result.history), 0);
    for (const auto& [event, wrote] : all_of<event::Wrote>(result.history)) {
        EXPECT_EQ(wrote->base, wrote->previous);
    }
    std::set<std::string> tokens;
    for (const auto& [event, granted] : all_of<event::Granted>(result.history)) {
        EXPECT_EQ(granted->token.text.size(), 32u);
        EXPECT_TRUE(tokens.insert(granted->token.text).second);
    }
}

TEST(LiveLoop, two_hundred_clients_share_one_loop) {
    ManagedServers server;
    LiveLoop loop(server);
    const auto results = run_all(loop, std::vector<LiveConfig>(50, [] {
                                     LiveConfig config = short_run(5);
                                     config.clients = 4;
                                     return config;
                                 }()));
    std::set<std::string> keys;
    for (const LiveResult& result : results) {
        EXPECT_GE(result.grants, 5u);
        EXPECT_EQ(most_inside(result.history), 1);
        EXPECT_EQ(unknowns(result.history), 0);
        EXPECT_TRUE(keys.insert(result.history.key).second);
    }
}

TEST(LiveLoop, background_tasks_run_beside_the_worker) {
    const LiveResult result = run_one(short_run(HookedLock::algorithm(), 20));
    std::size_t background = 0;
    for (const auto& [event, sent] : all_of<event::Sent>(result.history)) {
        if (event->phase == Phase::background) ++background;
    }
    EXPECT_GT(background, 0u);
    EXPECT_EQ(most_inside(result.history), 1);
}

TEST(LiveLoop, keeps_no_events_when_not_asked) {
    LiveConfig config = short_run(20);
    config.recording = Recording::nothing;
    const LiveResult result = run_one(config);
    EXPECT_TRUE(result.history.events.empty());
    EXPECT_GE(result.grants, 20u);
    EXPECT_GT(result.history.end, Instant());
}

TEST(LiveLoop, clients_arrive_when_they_are_to_in_an_open_loop) {
    LiveConfig config = short_run(1000);
    config.clients = 2;
    config.duration = 100ms;
    config.recording = Recording::rounds;
    config.workload.job = {};
    config.workload.arrival_offset = 10ms;
    config.workload.arrives_every = 20ms;
    const LiveResult result = run_one(config);
    std::array<int, 2> arrived{};
    for (const auto& [event, wants] : all_of<event::Wants>(result.history)) {
        const int i = static_cast<int>(event->client.value);
        EXPECT_GE(event->at, Instant(i * 10ms + arrived[event->client.value]++ * 20ms));
        EXPECT_LE(event->at, Instant(100ms)) << "nobody comes after the end";
    }
    EXPECT_GE(arrived[0], 2);
    EXPECT_LE(arrived[0], 5);
    EXPECT_LE(arrived[1], 5);
    EXPECT_TRUE(all_of<event::Sent>(result.history).empty()) << "only rounds are recorded";
}

TEST(LiveLoop, holds_without_release_and_ttl_end_with_the_patience) {
    LiveConfig config = short_run(HookedLock::algorithm(), 20);
    config.workload.job = {60s, 60s};
    config.patience = 300ms;
    const LiveResult result = run_one(config);
    EXPECT_EQ(result.grants, 1u);
    EXPECT_FALSE(result.server_lost);
    EXPECT_GE(result.history.end, Instant(300ms));
    EXPECT_EQ(result.history.patience, 300ms);
}

constexpr Script kMakesAnotherKey{"makes_another_key",
                                  "return redis.call('set', 'made:' .. KEYS[1], ARGV[1])"};

class LitteringLock final : public Lock {
public:
    LitteringLock(Client& client, Key key) : client_(client), key_(std::move(key)) {}
    Task<Acquired> try_acquire() override {
        const std::string_view bytes("a\0b\r\n\xff", 6);
        co_await client_.eval(kMakesAnotherKey, key_, bytes);
        co_await client_.command("SET", key_, bytes);
        const Reply reply = co_await client_.command("GET", key_);
        EXPECT_EQ(reply.text(), bytes);
        co_return Grant{};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    Client& client_;
    const Key key_;
};

const Algorithm kLittering{
    .name = "littering",
    .label = "Littering",
    .idea = {},
    .source = "this test",
    .colour = "#000000",
    .defaults = {},
    .safe_under = {},
    .broken_by = {},
    .make = [](Client& client, const Key& key, const LockOptions&) -> std::unique_ptr<Lock> {
        return std::make_unique<LitteringLock>(client, key);
    }};

TEST(LiveLoop, leaves_no_keys_behind) {
    RedisProcess server;
    LiveLoop loop(server.endpoint());
    std::size_t during = 0;
    const auto look = [&](std::size_t, const LiveResult&) {
        during = std::max(during, keys_on(server.endpoint()).size());
    };
    SyncConnection(server.endpoint(), 5s).command(Command::of("SET", "other", "1"));
    const auto summary = loop.run({short_run(kLittering, 3), short_run(kLittering, 3)}, 1, look);
    EXPECT_EQ(during, 5u) << "two of each run, and where runs are written down";
    EXPECT_EQ(summary.keys_left, "");
    EXPECT_EQ(keys_on(server.endpoint()).size(), 0u);
    EXPECT_EQ(SyncConnection(server.endpoint(), 5s).command(Command::of("DBSIZE")).as_integer(), 1);
}

TEST(LiveLoop, interrupted_it_keeps_what_is_finished_and_leaves_no_keys) {
    ManagedServers server;
    LiveLoop loop(server);
    std::atomic<bool> flag = false;
    loop.interrupt_on(flag);
    LiveConfig endless = short_run(kLittering, 1'000'000'000);
    std::vector<std::size_t> finished;
    const auto stop = [&](std::size_t index, const LiveResult& result) {
        EXPECT_GE(result.grants, 10u);
        finished.push_back(index);
        flag = true;
    };
    const auto summary = loop.run({endless, short_run(10), endless, short_run(10)}, 2, stop);
    EXPECT_TRUE(summary.interrupted);
    EXPECT_EQ(finished, std::vector<std::size_t>{1});
    EXPECT_EQ(keys_on(server.endpoint()).size(), 0u);
}

TEST(LiveLoop, an_exception_of_the_caller_leaves_no_keys) {
    ManagedServers server;
    LiveLoop loop(server);
    const auto fail = [](std::size_t, const LiveResult&) { throw std::runtime_error("disk full"); };
    LiveConfig endless = short_run(kLittering, 1'000'000'000);
    EXPECT_THROW(loop.run({endless, short_run(10)}, 2, fail), std::runtime_error);
    EXPECT_EQ(keys_on(server.endpoint()).size(), 0u);
}

TEST(LiveLoop, somebodys_server_is_given_no_fault_but_of_a_key_of_ours) {
    RedisProcess server;
    LiveLoop others(server.endpoint());
    for (const Hazard hazard :
         {Hazard::restart, Hazard::restart_snapshot, Hazard::server_clock_jump, Hazard::freeze}) {
        EXPECT_EQ(complaint(others, hazard), "The fault " + std::string(name_of(hazard)) +
                                                 " needs a redis-server of locklab's own, and " +
                                                 to_string(server.endpoint()) +
                                                 " is not: leave out --redis and LOCKLAB_REDIS.");
    }
    EXPECT_EQ(complaint(others, Hazard::evict), "none");
}

}  // namespace
}  // namespace locklab::live_loop_test
