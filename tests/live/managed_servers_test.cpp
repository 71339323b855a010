// What happens to one of the servers that locklab starts, and that it has happened when it is said.

#include "harness/live/managed_servers.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "harness/core/choices.h"
#include "harness/live/sync_connection.h"

namespace locklab::managed_servers_test {
namespace {

using namespace std::chrono_literals;
using ItsClock = ManagedServers::ItsClock;

constexpr NodeId kFirst{0};
constexpr NodeId kSecond{1};

Reply ask(const ManagedServers& servers, NodeId node, const Command& command) {
    return SyncConnection(servers.endpoint(node), 5s).command(command);
}

AskServer asking(const ManagedServers& servers, NodeId node) {
    return [&servers, node](const Command& command) { return ask(servers, node, command); };
}

std::string value_of(const ManagedServers& servers, NodeId node, const std::string& key) {
    const Reply reply = ask(servers, node, Command::of("GET", key));
    return reply.is_bulk() ? reply.text() : "none";
}

/// Does what is due until nothing is. How late the latest was.
Duration do_all(ManagedServers& servers) {
    Duration late{0};
    while (const auto due = servers.next_due()) {
        std::this_thread::sleep_until(*due);
        for (const auto& each : servers.do_due(ManagedServers::Clock::now())) {
            late = std::max(late, each.by);
        }
    }
    return late;
}

TEST(ManagedServers, a_server_that_restarts_is_empty_and_the_others_go_on) {
    ManagedServers servers(Topology{2});
    for (const NodeId node : {kFirst, kSecond}) ask(servers, node, Command::of("SET", "k", "a"));
    const auto began = ManagedServers::Clock::now();
    servers.restart(kSecond, 30ms);
    EXPECT_FALSE(servers.is_up(kSecond));
    EXPECT_TRUE(servers.was_away(kSecond));
    EXPECT_FALSE(servers.was_away(kFirst));
    do_all(servers);
    EXPECT_GE(ManagedServers::Clock::now() - began, 30ms);
    EXPECT_EQ(value_of(servers, kSecond, "k"), "none");
    EXPECT_EQ(value_of(servers, kFirst, "k"), "a");
    servers.begin_run();
    EXPECT_FALSE(servers.was_away(kSecond));
    EXPECT_EQ(value_of(servers, kFirst, "k"), "none");
}

/// Its master had to write down what it has for the replica.
TEST(ManagedServers, a_master_that_was_copied_comes_back_empty_all_the_same) {
    ManagedServers servers;
    ask(servers, kFirst, Command::of("SET", "k", "a"));
    servers.provide(Topology{1, 1}, ItsClock::right);
    servers.begin_run();
    ask(servers, kFirst, Command::of("SET", "k", "a"));
    servers.kill(kFirst);
    servers.bring_back(kFirst);
    EXPECT_EQ(value_of(servers, kFirst, "k"), "none");
}

TEST(ManagedServers, an_old_snapshot_has_what_was_there_then_and_nobody_sees_it_without) {
    ManagedServers servers;
    ask(servers, kFirst, Command::of("SET", "lease", "a", "PX", "60000"));
    ask(servers, kFirst, Command::of("HSET", "hash", "f", "1", "g", "2"));
    ask(servers, kFirst, Command::of("SET", "gone", "a", "PX", "20"));
    SyncConnection third(servers.endpoint(), 5s);
    third.command(Command::of("SELECT", "3"));
    third.command(Command::of("ZADD", "queue", "5", "b"));
    const std::string long_key(300, 'k');
    third.command(Command::of("SET", long_key, std::string(60000, 'v')));
    servers.keep_snapshot(kFirst);
    const auto then = ManagedServers::Clock::now();
    std::this_thread::sleep_for(30ms);
    ask(servers, kFirst, Command::of("SET", "lease", "b"));
    ask(servers, kFirst, Command::of("SET", "new", "b"));
    servers.keep_snapshot(kFirst);
    servers.restart(kFirst, Duration(0), servers.kept_at(kFirst, then).data);
    do_all(servers);
    EXPECT_EQ(value_of(servers, kFirst, "lease"), "a");
    EXPECT_LE(ask(servers, kFirst, Command::of("PTTL", "lease")).as_integer(), 60000 - 30);
    EXPECT_GT(ask(servers, kFirst, Command::of("PTTL", "lease")).as_integer(), 10000);
    EXPECT_EQ(ask(servers, kFirst, Command::of("HGET", "hash", "g")).text(), "2");
    EXPECT_EQ(value_of(servers, kFirst, "gone"), "none") << "it expired meanwhile";
    EXPECT_EQ(value_of(servers, kFirst, "new"), "none");
    SyncConnection again(servers.endpoint(), 5s);
    again.command(Command::of("SELECT", "3"));
    EXPECT_EQ(again.command(Command::of("ZSCORE", "queue", "b")).text(), "5");
    EXPECT_EQ(again.command(Command::of("GET", long_key)).text().size(), 60000U);
    EXPECT_TRUE(servers.kept_at(kFirst, then - 1h).data.empty()) << "before all that is known";
}

TEST(ManagedServers, snapshots_are_kept_by_themselves_while_one_may_be_asked_for) {
    ManagedServers servers;
    EXPECT_FALSE(servers.next_due()) << "nothing is to be done";
    servers.keep_snapshots(2ms, 20ms);
    const auto end = ManagedServers::Clock::now() + 60ms;
    for (int i = 0; ManagedServers::Clock::now() < end; ++i) {
        ask(servers, kFirst, Command::of("SET", "k", std::to_string(i)));
        servers.do_due(ManagedServers::Clock::now());
    }
    const auto now = ManagedServers::Clock::now();
    const ManagedServers::Kept& old = servers.kept_at(kFirst, now - 20ms);
    EXPECT_FALSE(old.data.empty());
    EXPECT_LE(old.at, now - 20ms);
    EXPECT_FALSE(servers.kept_at(kFirst, old.at).data.empty());
    EXPECT_TRUE(servers.kept_at(kFirst, now - 1h).data.empty()) << "so old are none";
    servers.begin_run();
    EXPECT_FALSE(servers.next_due());
}

TEST(ManagedServers, one_that_hangs_answers_nobody_and_goes_on_with_its_data) {
    ManagedServers servers(Topology{2});
    ask(servers, kFirst, Command::of("SET", "k", "a"));
    ask(servers, kFirst, Command::of("SET", "lease", "a", "PX", "20"));
    EXPECT_FALSE(servers.hung_until());
    const auto began = ManagedServers::Clock::now();
    ASSERT_TRUE(servers.freeze(kFirst, 60ms));
    EXPECT_TRUE(stands_still(servers.process(kFirst).pid()));
    EXPECT_TRUE(servers.hangs(kFirst));
    EXPECT_FALSE(servers.hangs(kSecond));
    EXPECT_TRUE(servers.was_away(kFirst));
    EXPECT_FALSE(servers.freeze(kFirst, 1h)) << "it hangs already";
    EXPECT_FALSE(servers.evict(kFirst, "k", {}).key) << "nobody knows what it has";
    EXPECT_FALSE(servers.flush(kFirst));
    SyncConnection waits(servers.endpoint(kFirst), 5ms);
    EXPECT_TRUE(waits.command(Command::of("SET", "later", "b")).is_unknown());
    EXPECT_EQ(ask(servers, kSecond, Command::of("PING")).text(), "PONG");
    do_all(servers);
    EXPECT_GE(ManagedServers::Clock::now() - began, 60ms);
    EXPECT_GE(*servers.hung_until(), began + 60ms);
    EXPECT_FALSE(stands_still(servers.process(kFirst).pid()));
    EXPECT_EQ(value_of(servers, kFirst, "k"), "a");
    EXPECT_EQ(value_of(servers, kFirst, "lease"), "none") << "its clock went on";
    EXPECT_EQ(value_of(servers, kFirst, "later"), "b") << "what it was asked meanwhile it does";
}

TEST(ManagedServers, one_that_hangs_can_be_killed_and_is_there_at_the_end) {
    ManagedServers servers;
    ASSERT_TRUE(servers.freeze(kFirst, 1h));
    servers.restart(kFirst, Duration(0));
    EXPECT_FALSE(servers.hangs(kFirst));
    EXPECT_FALSE(servers.freeze(kFirst, 1h)) << "it is down";
    do_all(servers);
    EXPECT_EQ(ask(servers, kFirst, Command::of("PING")).text(), "PONG");
    ASSERT_TRUE(servers.freeze(kFirst, 1h));
    servers.end_run();
    EXPECT_EQ(ask(servers, kFirst, Command::of("PING")).text(), "PONG");
    EXPECT_FALSE(servers.next_due());
}

constexpr EvictionDraw kFirstKey{0};
constexpr EvictionDraw kLastKey{kQuantiles - 1};

TEST(ManagedServers, any_key_is_evicted_at_one_server) {
    ManagedServers servers(Topology{2});
    for (const NodeId node : {kFirst, kSecond}) {
        for (const char* key : {"k", "k:fence", "other"}) {
            ask(servers, node, Command::of("SET", key, "a"));
        }
    }
    const Eviction last = servers.evict(kSecond, "k", kLastKey);
    EXPECT_EQ(last.told(), "other");
    const Eviction lock = servers.evict(kSecond, "k", kFirstKey);
    EXPECT_EQ(lock.key, "k");
    EXPECT_EQ(lock.told(), "") << "the lock's own has no name in histories";
    EXPECT_EQ(servers.evict(kSecond, "k", kFirstKey).told(), "k:fence");
    EXPECT_FALSE(servers.evict(kSecond, "k", kFirstKey).key) << "there is none";
    EXPECT_EQ(value_of(servers, kFirst, "k"), "a");
    EXPECT_EQ(value_of(servers, kSecond, "k"), "none");
}

/// Keys are drawn in alphabetical order, each as likely.
TEST(ManagedServers, each_key_has_its_share_of_draws) {
    ManagedServers servers;
    const std::array<const char*, 4> keys{"a", "b", "c", "d"};
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        for (const char* key : keys) ask(servers, kFirst, Command::of("SET", key, "a"));
        const std::uint32_t begins = kQuantiles / 4 * i;
        EXPECT_EQ(servers.evict(kFirst, "a", {begins}).key, keys[i]);
        ask(servers, kFirst, Command::of("SET", keys[i], "a"));
        EXPECT_EQ(servers.evict(kFirst, "a", {begins + kQuantiles / 4 - 1}).key, keys[i]);
    }
}

/// Many runs share a server, and the name of one may begin as that of another.
TEST(ManagedServers, a_key_of_that_very_run_is_evicted_and_no_other) {
    ManagedServers servers;
    const auto put = [&](const char* key) {
        ask(servers, kFirst, Command::of("SET", key, "a", "PX", "60000"));
    };
    const auto evict = [&](EvictionDraw draw) {
        return evict_of_run("run:1", draw, asking(servers, kFirst));
    };
    for (const char* key : {"run:10", "run:10:fence", "another"}) put(key);
    EXPECT_FALSE(evict(kFirstKey).key);
    for (const char* key : {"run:1", "run:1:fence", "{run:1}", "run:10:run:1"}) put(key);
    for (const char* key : {"run:1", "run:10:run:1", "run:1:fence"}) {
        const Eviction done = evict(kFirstKey);
        EXPECT_EQ(done.key, key);
        EXPECT_EQ(done.is_lock, done.key == "run:1");
    }
    EXPECT_EQ(evict(kLastKey).told(), "{run:1}");
    EXPECT_FALSE(evict(kLastKey).key);
    for (const char* key : {"run:10", "run:10:fence", "another"}) {
        EXPECT_EQ(value_of(servers, kFirst, key), "a");
    }
}

TEST(ManagedServers, all_keys_of_that_very_run_go_at_once_and_no_other) {
    ManagedServers servers;
    for (int i = 0; i < 40; ++i) {
        for (const char* run : {"run:1", "run:10"}) {
            const std::string key = std::string(run) + ":part:" + std::to_string(i);
            ask(servers, kFirst, Command::of("SET", key, "a"));
        }
    }
    EXPECT_TRUE(flush_of_run("run:1", asking(servers, kFirst)));
    EXPECT_EQ(ask(servers, kFirst, Command::of("DBSIZE")).as_integer(), 40);
    EXPECT_EQ(value_of(servers, kFirst, "run:10:part:0"), "a");
    EXPECT_FALSE(flush_of_run("run:1", asking(servers, kFirst))) << "there is none";
}

TEST(ManagedServers, a_flush_takes_all_keys_of_one_server_in_every_database) {
    ManagedServers servers(Topology{2});
    for (const NodeId node : {kFirst, kSecond}) {
        SyncConnection server(servers.endpoint(node));
        server.command(Command::of("SET", "k", "a"));
        server.command(Command::of("SELECT", "3"));
        server.command(Command::of("SET", "k", "b"));
    }
    EXPECT_TRUE(servers.flush(kSecond));
    EXPECT_EQ(value_of(servers, kFirst, "k"), "a");
    EXPECT_EQ(ask(servers, kSecond, Command::of("INFO", "keyspace")).text().find("db"),
              std::string::npos);
    EXPECT_FALSE(servers.flush(kSecond)) << "there is none";
}

TEST(ManagedServers, a_clock_jumps_at_one_server_and_a_restart_leaves_it_wrong) {
    ManagedServers servers(Topology{2}, ItsClock::can_be_wrong);
    const auto seconds = [&](NodeId node) {
        const Reply time = ask(servers, node, Command::of("TIME"));
        return std::stoll(time.elements()[0].text());
    };
    servers.jump_clock(kSecond, 100s);
    EXPECT_GE(seconds(kSecond) - seconds(kFirst), 99);
    EXPECT_EQ(servers.clock_ahead(kFirst), Duration(0));
    servers.restart(kSecond, Duration(0));
    do_all(servers);
    EXPECT_GE(seconds(kSecond) - seconds(kFirst), 99);
    servers.begin_run();
    EXPECT_EQ(servers.clock_ahead(kSecond), Duration(0));
    EXPECT_LE(seconds(kSecond) - seconds(kFirst), 1);
}

/// Those that were there stay: who runs something on them later finds them where they were.
TEST(ManagedServers, more_are_provided_and_those_that_do_stay) {
    ManagedServers servers;
    const std::string first = servers.endpoint().socket_path;
    servers.provide(Topology{1, 1}, ItsClock::right);
    const std::string replica = servers.endpoint(kSecond).socket_path;
    servers.provide(Topology{3}, ItsClock::right);
    EXPECT_EQ(servers.topology(), (Topology{3, 1}));
    EXPECT_EQ(servers.endpoint().socket_path, first);
    EXPECT_EQ(servers.endpoint(servers.topology().replica()).socket_path, replica);
    servers.provide(Topology{1}, ItsClock::can_be_wrong);
    EXPECT_EQ(servers.size(), 4U);
    servers.begin_run();
    servers.jump_clock(kFirst, 5s);
    EXPECT_GE(servers.clock_ahead(kFirst), 5s);
}

TEST(ManagedServers, a_replica_takes_over_and_follows_again_in_the_next_run) {
    ManagedServers servers(Topology{1, 1});
    ask(servers, kFirst, Command::of("SET", "k", "a"));
    EXPECT_FALSE(servers.has_taken_over());
    servers.take_over_with_all();
    EXPECT_TRUE(servers.has_taken_over());
    EXPECT_EQ(value_of(servers, kSecond, "k"), "a");
    EXPECT_EQ(ask(servers, kSecond, Command::of("SET", "k", "b")).text(), "OK");
    EXPECT_EQ(value_of(servers, kFirst, "k"), "a") << "the old one goes on";
    servers.begin_run();
    EXPECT_FALSE(servers.has_taken_over());
    EXPECT_TRUE(ask(servers, kSecond, Command::of("SET", "k", "b")).is_error()) << "it follows";
}

TEST(ManagedServers, only_a_clock_that_is_to_jump_must_be_one_that_can_be_wrong) {
    FaultBudget faults;
    faults[Hazard::restart] = faults[Hazard::clock_jump] = 1;
    EXPECT_EQ(ManagedServers::clock_for(faults), ItsClock::right);
    faults[Hazard::server_clock_jump] = 1;
    EXPECT_EQ(ManagedServers::clock_for(faults), ItsClock::can_be_wrong);
}

}  // namespace
}  // namespace locklab::managed_servers_test
