// Real servers that refuse: before a run, and in the middle of one.

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "harness/check/disturbance.h"
#include "harness/check/judge.h"
#include "harness/live/probe.h"
#include "harness/live/run_keys.h"
#include "tests/live/live_fixture.h"

namespace locklab::refusing_server_test {
namespace {

class RefusingServer : public testing::Test {
protected:
    template <class... Words>
    Reply ask(Words... words) {
        return SyncConnection(server_.endpoint(), 5s).command(Command::of(words...));
    }
    std::string complaint() {
        try {
            probe(server_.endpoint());
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "none";
    }
    void expect_complaint(const std::vector<std::string>& words) {
        const std::string text = complaint();
        for (const std::string& word : words) {
            EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
        }
        EXPECT_TRUE(ask("DBSIZE").is_integer(0) || ask("DBSIZE").is_error());
    }
    /// Nobody listens there, and a replica needs no master to refuse writes.
    void become_replica() { ask("REPLICAOF", "127.0.0.1", 1); }

    RedisProcess server_;
};

TEST_F(RefusingServer, that_takes_writes_is_probed_without_a_trace) {
    EXPECT_EQ(complaint(), "none");
    EXPECT_TRUE(ask("DBSIZE").is_integer(0));
}

TEST_F(RefusingServer, a_replica_is_named) {
    become_replica();
    expect_complaint({"is a replica", "READONLY", "name its master"});
}

TEST_F(RefusingServer, a_full_one_is_named) {
    ask("CONFIG", "SET", "maxmemory", "1");
    expect_complaint({"refuses", "OOM command not allowed"});
}

TEST_F(RefusingServer, one_without_its_replicas_is_named) {
    ask("CONFIG", "SET", "min-replicas-to-write", "1");
    expect_complaint({"refuses", "NOREPLICAS"});
}

TEST_F(RefusingServer, one_for_readers_is_named) {
    ask("ACL", "SETUSER", "default", "-@write");
    expect_complaint({"refuses", "NOPERM"});
}

TEST_F(RefusingServer, one_without_scripts_is_named) {
    ask("ACL", "SETUSER", "default", "-@scripting");
    expect_complaint({"refuses", "NOPERM", "eval"});
}

TEST_F(RefusingServer, keys_that_cannot_be_deleted_are_named_with_its_words) {
    RunKeys keys;
    ask("SET", keys.fresh_key(), "1");
    become_replica();
    const std::string left = keys.clear(server_.endpoint());
    EXPECT_NE(left.find("READONLY"), std::string::npos) << left;
    EXPECT_EQ(left.find("does not answer"), std::string::npos) << left;
}

/// A run whose server refuses from the 20th try on.
template <class Refuse>
LiveResult run_into(const Refuse& refuse) {
    ManagedServers server;
    int tries = 0;
    HookedLock::before_try = [&](Client&) {
        if (++tries != 20) return;
        SyncConnection connection(server.endpoint(), 5s);
        refuse(connection);
    };
    LiveConfig config = short_run(HookedLock::algorithm(), 1'000);
    config.patience = 300ms;
    LiveLoop loop(server);
    LiveResult result = std::move(run_all(loop, {std::move(config)}).front());
    HookedLock::before_try = nullptr;
    return result;
}

void expect_disturbed(const LiveResult& result, const std::string& word) {
    const auto disturbance = disturbance_of(result.history);
    ASSERT_TRUE(disturbance.has_value()) << word;
    EXPECT_EQ(disturbance->kind, Disturbance::Kind::refused);
    EXPECT_TRUE(disturbance->words.starts_with(word)) << disturbance->words;
    EXPECT_EQ(result.refused, disturbance->words);
    const Judgement judgement = judge(result.history);
    EXPECT_EQ(judgement.verdict, Verdict::unknown);
    EXPECT_GT(judgement.grants, 0U);
    EXPECT_GT(judgement.errors.tries, 0U);
    EXPECT_NE(judgement.why_unknown.find(word), std::string::npos) << judgement.why_unknown;
}

TEST(RefusingInMidRun, a_replica) {
    expect_disturbed(run_into([](SyncConnection& server) {
                         server.command(Command::of("REPLICAOF", "127.0.0.1", 1));
                     }),
                     "READONLY");
}

TEST(RefusingInMidRun, a_full_one) {
    expect_disturbed(run_into([](SyncConnection& server) {
                         server.command(Command::of("CONFIG", "SET", "maxmemory", 1));
                     }),
                     "OOM");
}

TEST(RefusingInMidRun, one_without_its_replicas) {
    expect_disturbed(run_into([](SyncConnection& server) {
                         server.command(Command::of("CONFIG", "SET", "min-replicas-to-write", 1));
                     }),
                     "NOREPLICAS");
}

TEST(RefusingInMidRun, one_for_readers) {
    expect_disturbed(run_into([](SyncConnection& server) {
                         server.command(Command::of("ACL", "SETUSER", "default", "-@write"));
                     }),
                     "NOPERM");
}

class EveryLockRefused : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryLockRefused, takes_an_error_for_neither_a_refusal_nor_a_grant) {
    ManagedServers server;
    SyncConnection(server.endpoint(), 5s).command(Command::of("REPLICAOF", "127.0.0.1", 1));
    LiveConfig config = short_run(*GetParam(), 1'000);
    config.patience = 100ms;
    LiveLoop loop(server);
    const LiveResult result = std::move(run_all(loop, {std::move(config)}).front());
    EXPECT_EQ(result.grants, 0U);
    EXPECT_TRUE(all_of<event::Refused>(result.history).empty());
    const auto failed = all_of<event::Failed>(result.history);
    ASSERT_FALSE(failed.empty());
    EXPECT_TRUE(failed[0].detail->error.starts_with("READONLY")) << failed[0].detail->error;
}

/// Alone, so that it holds the lock as the server turns.
TEST_P(EveryLockRefused, releases_with_an_error_where_the_server_answers_with_one) {
    ManagedServers server;
    SyncConnection admin(server.endpoint(), 5s);
    LiveConfig config = short_run(*GetParam(), 1'000);
    config.clients = 1;
    config.workload.job = {20ms, 20ms};
    config.patience = 300ms;
    LiveLoop loop(server);
    std::thread turning([&] {
        std::this_thread::sleep_for(100ms);
        admin.command(Command::of("REPLICAOF", "127.0.0.1", 1));
    });
    const LiveResult result = std::move(run_all(loop, {std::move(config)}).front());
    turning.join();
    EXPECT_GT(result.grants, 0U);
    int errors = 0;
    for (const auto& noted : all_of<event::Released>(result.history)) {
        errors += noted.detail->outcome == Release::error ? 1 : 0;
    }
    // Between two jobs there is hardly any time, and a watchdog may have told of the loss before.
    EXPECT_LE(errors, 1);
    EXPECT_FALSE(all_of<event::Failed>(result.history).empty());
    EXPECT_EQ(judge(result.history).verdict, Verdict::unknown);
}

INSTANTIATE_TEST_SUITE_P(Locks, EveryLockRefused, testing::ValuesIn([] {
                             std::vector<const Algorithm*> locks;
                             for (const Algorithm& lock : algorithms()) {
                                 if (lock.on_redis()) locks.push_back(&lock);
                             }
                             return locks;
                         }()),
                         [](const auto& one) { return std::string(one.param->name); });

}  // namespace
}  // namespace locklab::refusing_server_test
