#include "harness/live/run_registry.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/live/redis_process.h"
#include "harness/live/run_keys.h"
#include "tests/live/fake_server.h"

namespace locklab::run_registry_test {
namespace {

using namespace std::chrono_literals;

class RunRegistry : public testing::Test {
protected:
    template <class... Words>
    Reply ask(Words... words) {
        return SyncConnection(server_.endpoint(), 5s).command(Command::of(words...));
    }
    /// A run that is killed while it has a key without a time to live.
    std::string left_by_the_dead() {
        const pid_t pid = fork();
        if (pid == 0) {
            RunKeys keys;
            keys.announce(server_.endpoint());
            ask("SET", keys.fresh_key(), "held");
            kill(getpid(), SIGKILL);
        }
        waitpid(pid, nullptr, 0);
        const Reply left = ask("KEYS", "locklab:*:1");
        return left.elements().empty() ? std::string() : left.elements()[0].text();
    }

    RedisProcess server_;
};

TEST_F(RunRegistry, a_run_that_ends_leaves_nothing) {
    RunKeys keys;
    keys.announce(server_.endpoint());
    ask("SET", keys.fresh_key(), "1");
    const Reply left = ask("TTL", "locklab:runs");
    EXPECT_GT(left.as_integer(), 6 * 24 * 3600);
    EXPECT_EQ(keys.clear(server_.endpoint()), "");
    EXPECT_TRUE(ask("DBSIZE").is_integer(0));
}

TEST_F(RunRegistry, what_the_dead_left_is_deleted_by_the_next) {
    ask("SET", "theirs", "1");
    const std::string key = left_by_the_dead();
    ASSERT_NE(key, "");
    EXPECT_TRUE(ask("TTL", key).is_integer(-1));
    RunKeys living;
    living.announce(server_.endpoint());
    const Key in_use = living.fresh_key();
    ask("SET", in_use, "1");

    const std::string said = clean_up_after_the_dead(server_.endpoint());
    EXPECT_NE(said.find("1 run that was killed"), std::string::npos) << said;
    EXPECT_TRUE(ask("EXISTS", key).is_integer(0));
    EXPECT_TRUE(ask("EXISTS", "theirs").is_integer(1));
    EXPECT_TRUE(ask("EXISTS", in_use).is_integer(1));
    EXPECT_TRUE(ask("HLEN", "locklab:runs").is_integer(1));
    EXPECT_EQ(clean_up_after_the_dead(server_.endpoint()), "");
}

TEST_F(RunRegistry, nothing_is_deleted_by_a_prefix_that_is_not_ours) {
    const std::string key = left_by_the_dead();
    ASSERT_NE(key, "");
    const std::string prefix = key.substr(0, key.size() - 1);
    const std::string dead = ask("HGET", "locklab:runs", prefix).text();
    ask("DEL", "locklab:runs", key);
    ask("SET", "theirs", "1");
    for (const char* text : {"", "theirs", "locklab:", "locklab:0123456789abcdeF:", "*"}) {
        ask("HSET", "locklab:runs", text, dead);
    }
    EXPECT_EQ(clean_up_after_the_dead(server_.endpoint()), "");
    EXPECT_TRUE(ask("EXISTS", "theirs").is_integer(1));
}

TEST_F(RunRegistry, a_registry_that_is_something_else_is_left_alone) {
    ask("SET", "locklab:runs", "theirs");
    RunKeys keys;
    keys.announce(server_.endpoint());
    EXPECT_EQ(clean_up_after_the_dead(server_.endpoint()), "");
    EXPECT_EQ(keys.clear(server_.endpoint()), "");
    EXPECT_EQ(ask("GET", "locklab:runs").text(), "theirs");
    EXPECT_TRUE(ask("TTL", "locklab:runs").is_integer(-1));
}

/// Its SCAN tells a name that was not asked for, and it counts what it was told to delete.
TEST(DeleteKeys, what_does_not_bear_our_prefix_is_left_alone) {
    const std::string prefix = "locklab:0123456789abcdef:";
    const std::string ours = prefix + "1";
    const std::string names = "*2\r\n$1\r\n0\r\n*2\r\n$" + std::to_string(ours.size()) + "\r\n" +
                              ours + "\r\n$6\r\ntheirs\r\n";
    std::atomic<int> deletions{0};
    FakeServer server([&](FakeServer::Peer& peer) {
        // The first is SCAN, and each after it a DEL.
        if (!peer.hear() || !peer.say(names)) return;
        while (peer.hear()) {
            ++deletions;
            if (!peer.say(":1\r\n")) return;
        }
    });
    {
        SyncConnection connection(server.endpoint(), 5s);
        EXPECT_EQ(delete_keys(connection, prefix), "the server answers what Redis would not");
    }
    EXPECT_EQ(deletions, 1);
}

}  // namespace
}  // namespace locklab::run_registry_test
