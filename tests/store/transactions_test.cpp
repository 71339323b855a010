// Transactions of the Redis model on cases whose answers are worked out by hand. That Redis gives
// the same ones is what the differential test shows.
#include <gtest/gtest.h>

#include "harness/store/redis/redis_store.h"

namespace locklab::transactions_test {

namespace {

constexpr Script kCount{"count", "return redis.call('incr', KEYS[1])"};
constexpr const char* kComesAndGoes =
    "redis.call('set', KEYS[1], 'a') return redis.call('del', KEYS[1])";
constexpr const char* kWatches = "return redis.pcall('watch', KEYS[1]).err";

class RedisTransactions : public testing::Test {
protected:
    template <class... Words>
    std::string tell(const Words&... words) {
        return over(0, words...);
    }
    /// The same over one of several connections.
    template <class... Words>
    std::string over(SessionId from, const Words&... words) {
        return to_string(redis_.execute(Command::of(words...), now_, scripts_, from));
    }
    /// Connection 1 watches the key, and has a transaction open that deletes it.
    void open() {
        over(1, "WATCH", "k");
        over(1, "MULTI");
        EXPECT_EQ(over(1, "DEL", "k"), "QUEUED");
    }
    RedisModel redis_;
    ScriptEngine scripts_;
    WallTime now_{std::chrono::seconds(1'700'000'000)};
};

TEST_F(RedisTransactions, exec_runs_what_was_queued_and_gives_each_its_answer) {
    over(1, "MULTI");
    EXPECT_EQ(over(1, "SET", "k", "t"), "QUEUED");
    const Command script = Command::eval(kCount, Key{"n"});
    EXPECT_EQ(to_string(redis_.execute(script, now_, scripts_, 1)), "QUEUED");
    EXPECT_EQ(over(1, "HGET", "k", "f"), "QUEUED");
    EXPECT_EQ(tell("GET", "k"), "(nil)") << "nothing ran yet";
    EXPECT_EQ(
        over(1, "EXEC"),
        "[OK, (integer) 1, (error) WRONGTYPE Operation against a key holding the wrong kind of "
        "value]");
    EXPECT_EQ(over(1, "EXEC"), "(error) ERR EXEC without MULTI");
    EXPECT_TRUE(redis_.sessions().empty());
}

TEST_F(RedisTransactions, only_changes_by_others_since_the_watch_count) {
    tell("SET", "k", "t");
    open();
    tell("SET", "other", "t");
    tell("GET", "k");
    tell("SET", "k", "u", "NX");
    tell("PERSIST", "k");
    tell("DEL", "none");
    EXPECT_EQ(over(1, "EXEC"), "[(integer) 1]");
    const auto changes = {Command::of("SET", "k", "t"), Command::of("PEXPIRE", "k", 50),
                          Command::of("DEL", "k"), Command::of("FLUSHALL"),
                          Command::of("GETEX", "k", "PX", 50)};
    for (const Command& change : changes) {
        tell("SET", "k", "t");
        open();
        redis_.execute(change, now_, scripts_);
        EXPECT_EQ(over(1, "EXEC"), "(nil)") << to_string(change);
        EXPECT_TRUE(redis_.sessions().empty());
    }
}

TEST_F(RedisTransactions, a_key_that_comes_and_goes_at_once_has_changed) {
    open();
    tell("EVAL", kComesAndGoes, 1, "k");
    EXPECT_EQ(over(1, "EXEC"), "(nil)");
}

TEST_F(RedisTransactions, a_key_that_expires_or_is_evicted_has_changed) {
    for (const bool is_evicted : {false, true}) {
        tell("SET", "k", "t", "PX", 10);
        open();
        is_evicted ? void(redis_.evict("k")) : void(now_ += std::chrono::milliseconds(11));
        EXPECT_EQ(over(1, "EXEC"), "(nil)");
    }
}

TEST_F(RedisTransactions, a_key_that_had_expired_when_it_was_watched_may_be_removed) {
    tell("SET", "k", "t", "PX", 10);
    now_ += std::chrono::milliseconds(11);
    open();
    tell("GET", "k");
    EXPECT_EQ(over(1, "EXEC"), "[(integer) 0]");
}

TEST_F(RedisTransactions, an_error_while_queueing_aborts_all) {
    open();
    EXPECT_EQ(over(1, "GET"), "(error) ERR wrong number of arguments for 'get' command");
    EXPECT_EQ(over(1, "EXEC"),
              "(error) EXECABORT Transaction discarded because of previous errors.");
    EXPECT_EQ(over(1, "DISCARD"), "(error) ERR DISCARD without MULTI");
    open();
    EXPECT_EQ(over(1, "EXEC", "k"),
              "(error) EXECABORT Transaction discarded because of: wrong number of arguments for "
              "'exec' command");
    EXPECT_TRUE(redis_.sessions().empty());
}

TEST_F(RedisTransactions, some_commands_do_not_wait_for_exec) {
    open();
    EXPECT_EQ(over(1, "MULTI"), "(error) ERR MULTI calls can not be nested");
    EXPECT_EQ(over(1, "WATCH", "k"), "(error) ERR WATCH inside MULTI is not allowed");
    EXPECT_EQ(over(1, "UNWATCH"), "QUEUED");
    EXPECT_EQ(over(1, "EXEC"), "[(integer) 0, OK]");
    EXPECT_EQ(tell("EVAL", kWatches, 1, "k"),
              "\"ERR This Redis command is not allowed from script\"");
}

TEST_F(RedisTransactions, a_closed_connection_forgets_its_own) {
    open();
    over(2, "WATCH", "k");
    redis_.close(1);
    EXPECT_EQ(over(1, "EXEC"), "(error) ERR EXEC without MULTI");
    tell("SET", "k", "t");
    over(2, "MULTI");
    EXPECT_EQ(over(2, "EXEC"), "(nil)");
}

TEST_F(RedisTransactions, no_snapshot_has_them) {
    tell("SET", "k", "t");
    open();
    EXPECT_TRUE(redis_.keys_only().sessions().empty());
    EXPECT_EQ(redis_.keys_only().keys().entries().size(), 1u);
    EXPECT_FALSE(redis_ == redis_.keys_only()) << "it goes on differently";
}

TEST_F(RedisTransactions, belong_to_a_connection_of_a_client) {
    RedisStore store(scripts_);
    Outbox out;
    const auto ask = [&](const Route& route, const Command& command) {
        store.on(Request{route, &command}, now_, out);
        return to_string(out.take_reply());
    };
    const Route first{ClientId{1}, Channel::worker, {}};
    const Route watchdog{ClientId{1}, Channel::background, {}};
    const Route second{ClientId{1}, Channel::worker, {}, 1};
    ask(first, Command::of("MULTI"));
    EXPECT_EQ(ask(first, Command::of("DEL", "k")), "QUEUED");
    EXPECT_EQ(ask(watchdog, Command::of("DEL", "k")), "(integer) 0");
    EXPECT_EQ(ask(second, Command::of("DEL", "k")), "(integer) 0");
    EXPECT_EQ(ask({ClientId{2}, Channel::worker, {}}, Command::of("DEL", "k")), "(integer) 0");
    store.on(Closed{second}, now_, out);
    EXPECT_EQ(ask(first, Command::of("EXEC")), "[(integer) 0]");
}

}  // namespace
}  // namespace locklab::transactions_test
