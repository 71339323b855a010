// The floor, on a real server: that it sends what the lock sends, and notices if that means
// something else.

#include "harness/bench/bare_rounds.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <stdexcept>

#include "algorithms/registry.h"
#include "harness/bench/live_figures.h"
#include "harness/bench/placement.h"
#include "harness/live/redis_process.h"
#include "harness/live/sync_connection.h"

namespace locklab::bare_rounds_test {
namespace {

using namespace std::chrono_literals;

class BareRounds : public testing::Test {
protected:
    static RedisProcess& server() {
        static RedisProcess process(RedisProcess::Listen::on_port_too);
        return process;
    }
    static std::vector<RecordedRounds> recorded(const char* name, std::size_t clients) {
        const Algorithm& lock = *algorithm_named(name);
        return record_rounds(lock, lock.defaults, server().endpoint(), clients);
    }
    /// How often the server has run this command since it was started.
    static std::uint64_t calls(const std::string& command) {
        SyncConnection connection(server().endpoint(), 2s);
        const std::string stats = connection.command(Command::of("INFO", "commandstats")).text();
        const std::size_t at = stats.find("cmdstat_" + command + ":calls=");
        if (at == std::string::npos) return 0;
        return std::stoull(stats.substr(stats.find('=', at) + 1));
    }
};

TEST_F(BareRounds, are_what_the_lock_sends_with_a_token_of_its_own_each_time) {
    const RecordedRounds rounds = recorded("set_nx_lua", 1).front();
    ASSERT_GT(rounds.count, 100U);
    EXPECT_EQ(rounds.commands_each(), 2U);
    EXPECT_EQ(rounds.commands[0][0], "SET");
    EXPECT_NE(rounds.commands[1].script(), nullptr);
    EXPECT_NE(to_string(rounds.commands[0]), to_string(rounds.commands[2]));
    EXPECT_EQ(rounds.commands[0][2], rounds.commands[1][1]) << "it deletes what it set";
}

TEST_F(BareRounds, a_window_in_which_the_lock_was_got_once_is_measured_again_for_longer) {
    LiveConfig config;
    config.algorithm = algorithm_named("set_nx_lua");
    config.options = config.algorithm->defaults;
    config.workload.job = {30ms, 30ms};
    config.clients = 1;
    config.grants = ~std::uint64_t{0};
    config.duration = 8ms;
    config.patience = 10s;
    Workbench bench;
    const LiveFigures figures = run_for_pace(bench, server().endpoint(), {config});
    EXPECT_EQ(figures.without_pace, 0U);
    EXPECT_GE(figures.grants, 2U);
    EXPECT_GT(figures.grants_per_s, 1);
    EXPECT_LT(figures.grants_per_s, 40) << "a job takes 30 ms";
}

TEST_F(BareRounds, sends_each_command_of_each_round_blocking) {
    const std::uint64_t before = calls("setnx");
    const Pace pace =
        BareClient(server().endpoint(), recorded("setnx_expire", 1).front()).run_for(20ms);
    EXPECT_GE(pace.seconds, 0.02);
    EXPECT_GT(pace.rounds, 10U);
    const std::uint64_t sent = calls("setnx") - before;
    EXPECT_GE(sent, pace.rounds);
    EXPECT_LE(sent, pace.rounds + 1025) << "those that were recorded, and one to warm up";
    EXPECT_DOUBLE_EQ(pace.per_s() * pace.us_per_round(), 1e6);
}

TEST_F(BareRounds, sends_each_command_of_each_round_asynchronously) {
    const std::vector<RecordedRounds> rounds = recorded("setnx_del", 8);
    const std::uint64_t before = calls("del");
    const Pace pace = run_asynchronous(server().port_endpoint(), rounds, 20ms);
    EXPECT_GT(pace.rounds, 10U);
    EXPECT_EQ(calls("del") - before, pace.rounds + 8) << "one each to warm up";
}

TEST_F(BareRounds, holds_before_the_last_command_of_a_round) {
    BareClient client(server().endpoint(), recorded("setnx_expire", 1).front());
    const Pace pace = client.run_for(50ms, 10ms);
    EXPECT_LE(pace.rounds, 5U);
    EXPECT_GE(pace.us_per_round(), 10'000);
}

TEST_F(BareRounds, notices_replies_of_another_kind) {
    const RecordedRounds nonsense{{Command::of("GET", "nobody")}, {Reply::integer(1)}, 1};
    EXPECT_THROW(BareClient(server().endpoint(), nonsense).run_for(1ms), std::runtime_error);
    EXPECT_THROW(run_asynchronous(server().endpoint(), {nonsense}, 1ms), std::runtime_error);
    const RecordedRounds wrong{{Command::of("NO_SUCH_COMMAND")}, {Reply::ok()}, 1};
    EXPECT_THROW(BareClient(server().endpoint(), wrong).run_for(1ms), std::runtime_error);
    EXPECT_THROW(BareClient({"/nowhere/redis.sock", "", 0}, ping_rounds()), std::runtime_error);
}

TEST_F(BareRounds, says_what_a_server_says_that_refuses) {
    RedisProcess replica;
    SyncConnection(replica.endpoint(), 2s).command(Command::of("REPLICAOF", "127.0.0.1", 1));
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    try {
        record_rounds(lock, lock.defaults, replica.endpoint(), 1);
        ADD_FAILURE() << "there is nothing to measure";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("READONLY"), std::string::npos) << error.what();
    }
}

int processors_of(pid_t thread) {
    cpu_set_t set;
    sched_getaffinity(thread, sizeof set, &set);
    return CPU_COUNT(&set);
}

TEST_F(BareRounds, client_and_server_are_where_they_are_placed_and_then_anywhere) {
    const int all = processors_of(0);
    {
        const Placed placed(Placement::same, server().pid());
        cpu_set_t client;
        cpu_set_t other;
        sched_getaffinity(0, sizeof client, &client);
        sched_getaffinity(server().pid(), sizeof other, &other);
        EXPECT_EQ(CPU_COUNT(&client), 1);
        EXPECT_TRUE(CPU_EQUAL(&client, &other));
    }
    EXPECT_EQ(processors_of(0), all);
    EXPECT_EQ(processors_of(server().pid()), all);
    if (all < 2) return;
    const Placed placed(Placement::two, server().pid());
    cpu_set_t client;
    cpu_set_t other;
    sched_getaffinity(0, sizeof client, &client);
    sched_getaffinity(server().pid(), sizeof other, &other);
    EXPECT_EQ(CPU_COUNT(&client) + CPU_COUNT(&other), 2);
    EXPECT_FALSE(CPU_EQUAL(&client, &other));
}

}  // namespace
}  // namespace locklab::bare_rounds_test
