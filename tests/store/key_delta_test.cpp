// What an execution did to a key, as the keyspace before and after it tells.
#include "harness/store/redis/key_delta.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace locklab::key_delta_test {
namespace {

constexpr WallTime kNow{std::chrono::seconds(1'800'000'000)};

class KeyDeltaTest : public testing::Test {
protected:
    /// "created 10000", "none": what the last of these commands did to the key k.
    std::string effect(std::vector<Command> commands) {
        RedisModel redis;
        KeyEffect did;
        for (const Command& command : commands) {
            delta_.before(redis, "k", kNow);
            redis.execute(command, kNow, scripts_);
            did = delta_.after(redis);
        }
        const std::string kind(name_of(did.kind));
        return did.ttl == Duration::zero() ? kind : kind + " " + std::to_string(us(did.ttl) / 1000);
    }
    template <class... Words>
    static Command c(const Words&... words) {
        return Command::of(words...);
    }
    const Command held_ = c("SET", "k", "t", "PX", 5000);

    KeyDelta delta_;
    ScriptEngine scripts_;
};

TEST_F(KeyDeltaTest, a_key_is_created_only_where_there_was_none) {
    EXPECT_EQ(effect({c("SET", "k", "t", "NX", "EX", 10)}), "created 10000");
    EXPECT_EQ(effect({c("SET", "k", "t")}), "created");
    EXPECT_EQ(effect({c("SETNX", "k", "t")}), "created");
    EXPECT_EQ(effect({c("GETSET", "k", "t")}), "created");
    EXPECT_EQ(effect({held_, c("SET", "k", "t", "NX", "EX", 10)}), "none");
    EXPECT_EQ(effect({held_, c("SETNX", "k", "u")}), "none");
}

TEST_F(KeyDeltaTest, words_are_understood_in_any_case) {
    EXPECT_EQ(effect({c("set", "k", "t", "nx", "px", 10)}), "created 10");
    EXPECT_EQ(effect({held_, c("Del", "k")}), "deleted");
    EXPECT_EQ(effect({held_, c("pExpire", "k", 7)}), "extended 7");
}

TEST_F(KeyDeltaTest, every_command_that_sets_overwrites) {
    EXPECT_EQ(effect({held_, c("SET", "k", "u", "PX", 10)}), "replaced 10");
    EXPECT_EQ(effect({held_, c("SET", "k", "u", "KEEPTTL")}), "replaced 5000");
    EXPECT_EQ(effect({held_, c("SET", "k", "u", "XX", "GET")}), "replaced");
    EXPECT_EQ(effect({held_, c("SETEX", "k", 3, "u")}), "replaced 3000");
    EXPECT_EQ(effect({held_, c("PSETEX", "k", 3, "u")}), "replaced 3");
    EXPECT_EQ(effect({held_, c("GETSET", "k", "u")}), "replaced");
    EXPECT_EQ(effect({held_, c("MSET", "j", "v", "k", "u")}), "replaced");
    EXPECT_EQ(effect({held_, c("APPEND", "k", "u")}), "replaced 5000");
    EXPECT_EQ(effect({held_, c("SET", "j", "u"), c("RENAME", "j", "k")}), "replaced");
}

/// Or a lock whose value is a constant would seem to change nothing when it is taken twice.
TEST_F(KeyDeltaTest, a_value_that_is_written_again_is_overwritten_though_it_is_the_same) {
    EXPECT_EQ(effect({held_, c("SET", "k", "t", "PX", 5000)}), "replaced 5000");
    EXPECT_EQ(effect({held_, c("GET", "k")}), "none");
}

TEST_F(KeyDeltaTest, a_new_time_to_live_extends) {
    EXPECT_EQ(effect({held_, c("EXPIRE", "k", 10)}), "extended 10000");
    EXPECT_EQ(effect({held_, c("PEXPIRE", "k", 10)}), "extended 10");
    EXPECT_EQ(effect({held_, c("EXPIREAT", "k", 1'800'000'002)}), "extended 2000");
    EXPECT_EQ(effect({held_, c("GETEX", "k", "PX", 10)}), "extended 10");
    EXPECT_EQ(effect({held_, c("PERSIST", "k")}), "extended");
    EXPECT_EQ(effect({c("PEXPIRE", "k", 10)}), "none");
    EXPECT_EQ(effect({held_, c("PEXPIRE", "k", 10, "NX")}), "none");
}

TEST_F(KeyDeltaTest, whatever_makes_the_key_go_away_deletes) {
    EXPECT_EQ(effect({held_, c("DEL", "j", "k")}), "deleted");
    EXPECT_EQ(effect({held_, c("UNLINK", "k")}), "deleted");
    EXPECT_EQ(effect({held_, c("GETDEL", "k")}), "deleted");
    EXPECT_EQ(effect({held_, c("EXPIRE", "k", 0)}), "deleted");
    EXPECT_EQ(effect({held_, c("EXPIREAT", "k", 1)}), "deleted");
    EXPECT_EQ(effect({held_, c("RENAME", "k", "j")}), "deleted");
    EXPECT_EQ(effect({held_, c("FLUSHALL")}), "deleted");
    EXPECT_EQ(effect({c("HSET", "k", "f", 1), c("HDEL", "k", "f")}), "deleted");
    EXPECT_EQ(effect({c("DEL", "k")}), "none");
}

TEST_F(KeyDeltaTest, a_script_did_what_its_commands_did) {
    static constexpr Script kSwap{
        "swap", "redis.call('del', KEYS[1]) return redis.call('set', KEYS[1], ARGV[1])"};
    EXPECT_EQ(effect({held_, Command::eval(kSwap, Key{"k"}, "u")}), "replaced");
    EXPECT_EQ(effect({Command::eval(kSwap, Key{"k"}, "u")}), "created");
    EXPECT_EQ(effect({held_, c("EVAL", "return redis.call('unlink', KEYS[1])", 1, "k")}),
              "deleted");
}

/// A lock that its holder takes again is no new lock, and one that is given back once is still
/// there.
TEST_F(KeyDeltaTest, a_count_of_the_same_holder_extends) {
    const Command taken = c("HINCRBY", "k", "a", 1);
    EXPECT_EQ(effect({taken}), "created");
    EXPECT_EQ(effect({taken, taken}), "extended");
    EXPECT_EQ(effect({taken, taken, c("HINCRBY", "k", "a", -1)}), "extended");
    EXPECT_EQ(effect({taken, c("HINCRBY", "k", "b", 1)}), "replaced");
    EXPECT_EQ(effect({c("HSET", "k", "owner", "a"), c("HSET", "k", "owner", "b")}), "replaced");
}

TEST_F(KeyDeltaTest, a_key_that_has_expired_was_not_there) {
    RedisModel redis;
    redis.execute(c("SET", "k", "t", "PX", 10), kNow, scripts_);
    const WallTime later = kNow + std::chrono::milliseconds(11);
    delta_.before(redis, "k", later);
    redis.execute(c("SET", "k", "u", "PX", 10), later, scripts_);
    EXPECT_EQ(delta_.after(redis).kind, KeyEffect::Kind::created);
}

}  // namespace
}  // namespace locklab::key_delta_test
