// A real replica that takes over while runs are under way, and runs that learn of it.
#include <gtest/gtest.h>

#include <map>

#include "harness/check/judge.h"
#include "harness/core/sha1.h"
#include "harness/live/managed_servers.h"
#include "harness/store/redis/key_shadow.h"
#include "tests/live/in_time.h"

namespace locklab::failover_test {
namespace {

constexpr NodeId kReplica{1};
constexpr ClientId kStruck{1};

Reply ask(const RedisProcess& server, const Command& command) {
    return SyncConnection(server.endpoint(), 5s).command(command);
}

std::string role_of(const RedisProcess& server) {
    const std::string text = ask(server, Command::of("INFO", "replication")).text();
    return text.find("role:master") != std::string::npos ? "master" : "replica";
}

class LiveFailover : public testing::Test {
protected:
    LiveFailover() : servers_(Topology{1, 1}), loop_(servers_) {}

    static LiveConfig run_with_replica(std::string_view lock, std::uint64_t grants) {
        LiveConfig config = short_run(*algorithm_named(lock), grants);
        config.topology.replicas = 1;
        config.scale = 50ms;
        // A key that the replica has got, and whose owner gives it back at the old master, stays so
        // long.
        config.options.ttl = 200ms;
        config.options.clock_unit = 1ms;
        return config;
    }
    static PlannedFault failover(Duration amount, std::uint32_t round = 2) {
        return {Hazard::failover, {kStruck, round, Phase::inside, 0}, amount, kReplica};
    }

    ManagedServers servers_;
    LiveLoop loop_;
};

TEST_F(LiveFailover, a_replica_has_what_its_master_has_and_keeps_it_when_it_takes_over) {
    RedisProcess master;
    RedisProcess replica;
    replica.follow(master);
    EXPECT_EQ(role_of(master), "master");
    EXPECT_EQ(role_of(replica), "replica");
    ask(master, Command::of("SET", "before", "1"));
    replica.await_all_of(master);
    replica.take_over();
    EXPECT_EQ(role_of(replica), "master");
    ask(master, Command::of("SET", "after", "1"));
    EXPECT_EQ(ask(replica, Command::of("GET", "before")).text(), "1");
    EXPECT_TRUE(ask(replica, Command::of("GET", "after")).is_nil());
    EXPECT_EQ(ask(replica, Command::of("SET", "mine", "1")).text(), "OK");
    replica.follow(master);
    EXPECT_TRUE(ask(replica, Command::of("GET", "mine")).is_nil());
    EXPECT_EQ(ask(replica, Command::of("GET", "after")).text(), "1");
}

/// Redis answers "OK Already connected to specified master" then.
TEST_F(LiveFailover, a_replica_that_has_lost_its_master_for_a_moment_follows_it_again) {
    RedisProcess master;
    RedisProcess replica;
    replica.follow(master);
    master.restart();
    replica.follow(master);
    ask(master, Command::of("SET", "k", "1"));
    replica.await_all_of(master);
    EXPECT_EQ(ask(replica, Command::of("GET", "k")).text(), "1");
}

/// What a real master and its replica answer, and what the model of each says.
TEST_F(LiveFailover, a_replica_has_none_of_its_masters_scripts_and_the_model_says_so_too) {
    RedisProcess master;
    RedisProcess replica;
    replica.follow(master);
    ScriptEngine scripts;
    RedisModel model;
    const auto at_master = [&](const Command& command) {
        const Reply real = ask(master, command);
        EXPECT_EQ(to_string(real), to_string(model.execute(command, kEpoch, scripts)));
        return real;
    };
    const std::string before = "return redis.call('set', KEYS[1], 'before')";
    const std::string loaded = "return redis.call('get', KEYS[1])";
    at_master(Command::of("EVAL", before, 1, "k"));
    const std::string digest = at_master(Command::of("SCRIPT", "LOAD", loaded)).text();
    const Command known =
        Command::of("SCRIPT", "EXISTS", digest, to_hex(sha1(before)), to_hex(sha1("return 1")));
    const Reply at_first = at_master(known);
    EXPECT_EQ(at_first.elements()[0], Reply::integer(1));
    EXPECT_EQ(at_first.elements()[1], Reply::integer(1));

    replica.await_all_of(master);
    replica.take_over();
    RedisModel of_replica = model.keys_only();
    for (const Command& command :
         {known, Command::of("EVALSHA", digest, 1, "k"), Command::of("GET", "k"),
          Command::of("EVAL", loaded, 1, "k"), Command::of("EVALSHA", digest, 1, "k"), known}) {
        EXPECT_EQ(to_string(ask(replica, command)),
                  to_string(of_replica.execute(command, kEpoch, scripts)))
            << to_string(command);
    }
    EXPECT_EQ(to_string(at_master(known)), to_string(at_first)) << "the old master goes on";
    // All keys gone, a script stays; a restart forgets both, and so does SCRIPT FLUSH.
    at_master(Command::of("FLUSHALL"));
    EXPECT_EQ(to_string(at_master(known)), to_string(at_first));
    at_master(Command::of("SCRIPT", "FLUSH"));
    at_master(known);
    at_master(Command::of("SCRIPT", "LOAD", loaded));
    master.restart();
    model = RedisModel();
    at_master(known);
}

TEST_F(LiveFailover, each_client_sends_to_the_master_that_it_knows) {
    LiveConfig struck = run_with_replica("set_nx_lua", 200);
    struck.plan = {failover(10ms)};
    auto results = run_all(loop_, {struck, run_with_replica("setnx_del", 200), short_run(100)});
    EXPECT_EQ(role_of(servers_.process(kReplica)), "master");
    for (std::size_t i = 0; i < 2; ++i) {
        SCOPED_TRACE(i);
        const History& history = results[i].history;
        const auto faults = faults_of(history, Hazard::failover);
        ASSERT_EQ(faults.size(), 1u);
        const Instant at = faults[0].event->at;
        const auto learnt = all_of<event::Learnt>(history);
        EXPECT_EQ(learnt.size(), 3u);
        for (const auto& [event, what] : learnt) {
            EXPECT_EQ(what->master, kReplica);
            EXPECT_GE(event->at, at + 10ms);
        }
        std::map<ClientId, NodeId> known;
        std::map<std::uint64_t, NodeId> asked;
        std::size_t to_the_old = 0;
        std::size_t to_the_new = 0;
        for (const Event& event : history.events) {
            if (std::holds_alternative<event::Learnt>(event.detail)) known[event.client] = kReplica;
            if (const auto* sent = std::get_if<event::Sent>(&event.detail)) {
                EXPECT_EQ(sent->node, known[event.client]);
                asked[sent->call] = sent->node;
                to_the_new += sent->node == kReplica;
                to_the_old += sent->node != kReplica && event.at > at;
            } else if (const auto* ran = std::get_if<event::Executed>(&event.detail)) {
                EXPECT_EQ(ran->node, asked.at(ran->call));
            }
        }
        EXPECT_GT(to_the_old, 0u);
        EXPECT_GT(to_the_new, 0u);
    }
    EXPECT_TRUE(faults_of(results[2].history, Hazard::failover).empty());
    EXPECT_TRUE(all_of<event::Learnt>(results[2].history).empty());
    for (const NodeId node : {NodeId{0}, kReplica}) {
        EXPECT_EQ(keys_on(servers_.endpoint(node)).size(), 0u);
    }
}

TEST_F(LiveFailover, the_next_runs_have_a_replica_again) {
    for (int i = 0; i < 3; ++i) {
        LiveConfig config = run_with_replica("set_nx_lua", 120);
        // Some client may have all the luck: who is to be struck needs one grant only.
        config.plan = {failover(5ms, 1)};
        const auto results = run_all(loop_, {config});
        EXPECT_EQ(faults_of(results.front().history, Hazard::failover).size(), 1u) << i;
    }
}

/// Long jobs, of which some are under way at both masters. Where the machine is late, a key may
/// run out beside that, so that such a run is made again.
TEST_F(LiveFailover, two_masters_grant_a_lock_twice_and_the_cause_is_told) {
    std::uint64_t overlaps = 0;
    std::uint64_t by_failover = 0;
    for (int i = 0; i < 5; ++i) {
        LiveConfig config = run_with_replica("set_nx_lua", 120);
        config.workload.job = {10ms, 10ms};
        config.scale = 1s;  // the key that the replica has got is gone sooner
        config.plan = {failover(0ms)};
        History history = in_time(config, [&](const LiveConfig& longer) {
                              return std::move(run_all(loop_, {longer}).front());
                          }).history;
        tell_effects(history);
        for (const Violation& found : judge(history).violations) {
            if (found.kind != Violation::Kind::overlap) continue;
            ++overlaps;
            by_failover += found.cause == Cause::failover;
        }
    }
    EXPECT_GT(overlaps, 0u);
    EXPECT_EQ(by_failover, overlaps);
}

TEST(LiveFailoverRefused, somebodys_server_has_no_replica_of_ours) {
    RedisProcess somebodys;
    LiveLoop loop(somebodys.endpoint());
    LiveConfig config = short_run(10);
    config.topology.replicas = 1;
    try {
        run_all(loop, {config});
        ADD_FAILURE() << "it was not refused";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("A failover needs redis-servers of locklab's own"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace locklab::failover_test
