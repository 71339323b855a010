// The Redis model on cases whose answers are worked out by hand. That Redis gives the same ones
// is what the differential test shows.
#include "harness/store/redis/redis_model.h"

#include <gtest/gtest.h>

#include <vector>

#include "algorithms/compare_and_delete.h"

namespace locklab::redis_model_test {

namespace {

constexpr WallTime kStart{std::chrono::seconds(1'700'000'000)};

constexpr Script kBroken{"broken", "return )"};
constexpr Script kCount{"count", "return redis.call('incr', KEYS[1])"};

class RedisModelTest : public testing::Test {
protected:
    template <class... Words>
    std::string tell(const Words&... words) {
        return to_string(redis_.execute(Command::of(words...), now_, scripts_));
    }
    std::string eval(std::string_view lua) { return tell("EVAL", lua, 1, "k", "a", "b"); }
    std::string run(const Script& script) {
        return to_string(redis_.execute(Command::eval(script, Key{"k"}, "t"), now_, scripts_));
    }

    RedisModel redis_;
    ScriptEngine scripts_;
    WallTime now_ = kStart;
};

using RedisKeys = RedisModelTest;
using RedisExpiry = RedisModelTest;
using RedisErrors = RedisModelTest;
using RedisScripts = RedisModelTest;

constexpr const char* kWrongType =
    "(error) WRONGTYPE Operation against a key holding the wrong kind of value";
constexpr const char* kNotInteger = "(error) ERR value is not an integer or out of range";

TEST_F(RedisKeys, set_nx_takes_a_key_once) {
    EXPECT_EQ(tell("SET", "k", "t1", "NX"), "OK");
    EXPECT_EQ(tell("SET", "k", "t2", "NX"), "(nil)");
    EXPECT_EQ(tell("GET", "k"), "\"t1\"");
    EXPECT_EQ(tell("SET", "none", "t", "XX"), "(nil)");
    EXPECT_EQ(tell("SET", "k", "t3", "XX", "GET"), "\"t1\"");
    EXPECT_EQ(tell("SETNX", "k", "t4"), "(integer) 0");
}

/// https://valkey.io/commands/delifeq/, https://valkey.io/commands/set/
TEST_F(RedisKeys, of_valkey_are_compared_by_the_command_itself) {
    EXPECT_EQ(tell("DELIFEQ", "k", "t"),
              "(error) ERR unknown command 'DELIFEQ', with args "
              "beginning with: 'k' 't' ");
    EXPECT_EQ(tell("SET", "k", "u", "IFEQ", "t"), "(error) ERR syntax error");
    scripts_.run_in(ServerKind::valkey);
    EXPECT_EQ(tell("DELIFEQ", "k", "t"), "(integer) 0");
    EXPECT_EQ(tell("SET", "k", "u", "IFEQ", "t"), "(nil)") << "there is no key";
    tell("SET", "k", "t", "PX", 100);
    EXPECT_EQ(tell("SET", "k", "u", "IFEQ", "other", "PX", 500), "(nil)");
    EXPECT_EQ(tell("PTTL", "k"), "(integer) 100");
    EXPECT_EQ(tell("SET", "k", "t", "IFEQ", "t", "PX", 500), "OK");
    EXPECT_EQ(tell("PTTL", "k"), "(integer) 500");
    EXPECT_EQ(tell("SET", "k", "u", "NX", "IFEQ", "t"), "(error) ERR syntax error");
    EXPECT_EQ(tell("DELIFEQ", "k", "other"), "(integer) 0");
    EXPECT_EQ(tell("DELIFEQ", "k", "t"), "(integer) 1");
    EXPECT_EQ(tell("EXISTS", "k"), "(integer) 0");
    tell("HSET", "h", "f", "v");
    EXPECT_EQ(tell("DELIFEQ", "h", "v"), kWrongType);
    EXPECT_EQ(tell("SET", "h", "u", "IFEQ", "v"), kWrongType);
}

/// As valkey-server 9.1 answers where redis-server 7.0 does not.
TEST_F(RedisKeys, of_valkey_do_not_live_to_the_end_of_their_last_millisecond) {
    const std::int64_t now_ms = now_.time_since_epoch() / std::chrono::milliseconds(1);
    EXPECT_EQ(tell("SET", "k", "v", "PXAT", now_ms), "OK");
    EXPECT_EQ(tell("GET", "k"), "\"v\"");
    scripts_.run_in(ServerKind::valkey);
    EXPECT_EQ(tell("SET", "k", "w", "PXAT", now_ms), "OK");
    EXPECT_EQ(tell("GET", "k"), "(nil)");
    EXPECT_EQ(tell("GETEX", "none", "EX", 0), "(error) ERR invalid expire time in 'getex' command");
}

TEST_F(RedisScripts, are_told_in_the_words_of_valkey) {
    scripts_.run_in(ServerKind::valkey);
    EXPECT_EQ(tell("EVALSHA", std::string(40, 'a'), 0), "(error) NOSCRIPT No matching script.");
    EXPECT_EQ(eval("return redis.call('nosuch')"),
              "(error) ERR Unknown command called from script script: on @user_script:1.");
    const auto printed = [&](const std::string& number) {
        return eval("redis.call('set', KEYS[1], " + number + ") return redis.call('get', KEYS[1])");
    };
    EXPECT_EQ(printed("3.7"), "\"3.7\"");
    EXPECT_EQ(printed("-0.000001"), "\"-0.000001\"");
    EXPECT_EQ(printed("1.5e-7"), "\"1.5e-7\"");
    EXPECT_EQ(printed("1e17"), "\"100000000000000000\"");
    EXPECT_EQ(printed("1e20"), "\"1e+20\"");
    EXPECT_EQ(printed("123456789.123"), "\"123456789.123\"");
    EXPECT_EQ(printed("-1/0"), "\"-inf\"");
}

TEST_F(RedisErrors, of_a_transaction_of_valkey_end_it) {
    tell("MULTI");
    EXPECT_EQ(tell("MULTI"), "(error) ERR MULTI calls can not be nested");
    EXPECT_EQ(tell("EXEC"), "[]");
    scripts_.run_in(ServerKind::valkey);
    tell("MULTI");
    EXPECT_EQ(tell("WATCH", "k"), "(error) ERR Command 'watch' not allowed inside a transaction");
    EXPECT_EQ(tell("EXEC"), "(error) EXECABORT Transaction discarded because of previous errors.");
}

TEST_F(RedisKeys, names_and_options_are_read_in_any_case) {
    EXPECT_EQ(tell("sEt", "k", "t", "nX", "pX", 5), "OK");
    EXPECT_EQ(tell("pTTL", "k"), "(integer) 5");
    EXPECT_EQ(tell("GET", "K"), "(nil)");
}

TEST_F(RedisKeys, a_hash_keeps_its_order_and_goes_with_its_last_field) {
    EXPECT_EQ(tell("HSET", "h", "b", "1", "a", "2", "b", "3"), "(integer) 2");
    EXPECT_EQ(tell("HGETALL", "h"), "[\"b\", \"3\", \"a\", \"2\"]");
    EXPECT_EQ(tell("HINCRBY", "h", "a", -3), "(integer) -1");
    EXPECT_EQ(tell("HDEL", "h", "a", "b", "none"), "(integer) 2");
    EXPECT_EQ(tell("EXISTS", "h"), "(integer) 0");
}

TEST_F(RedisKeys, are_listed_in_the_order_of_their_names) {
    for (const char* key : {"c", "a", "b"}) tell("SET", key, "v");
    std::string names;
    for (const KeyEntry& entry : redis_.keys().entries()) names += entry.name;
    EXPECT_EQ(names, "abc");
    EXPECT_EQ(tell("DEL", "a", "a", "c"), "(integer) 2");
    EXPECT_EQ(tell("DBSIZE"), "(integer) 1");
}

TEST_F(RedisKeys, a_copy_is_a_snapshot) {
    tell("SET", "k", "before", "PX", 100);
    run(kCompareAndDelete);
    const RedisModel snapshot = redis_;
    tell("SET", "k", "after");
    tell("HSET", "h", "f", "v");
    redis_.script_flush();
    EXPECT_NE(redis_, snapshot);
    redis_ = snapshot;
    EXPECT_EQ(redis_, snapshot);
    EXPECT_EQ(tell("GET", "k"), "\"before\"");
    EXPECT_EQ(tell("PTTL", "k"), "(integer) 100");
    EXPECT_EQ(redis_.script_cache().size(), 1U);
}

TEST_F(RedisKeys, evict_takes_one_key_and_flush_takes_all) {
    for (const char* key : {"a", "b", "c"}) tell("SET", key, "v");
    EXPECT_TRUE(redis_.evict("b"));
    EXPECT_FALSE(redis_.evict("b"));
    EXPECT_EQ(tell("EXISTS", "a", "b", "c"), "(integer) 2");
    redis_.flush();
    EXPECT_EQ(tell("DBSIZE"), "(integer) 0");
}

TEST_F(RedisKeys, of_other_databases_are_not_modelled) {
    EXPECT_EQ(tell("SELECT", "0"), "OK");
    EXPECT_EQ(eval("redis.call('SELECT', 0) return redis.call('SET', KEYS[1], 'v')"), "OK");
    EXPECT_EQ(scripts_.not_modelled(), "");
    eval("redis.call('SELECT', 3) return 1");
    EXPECT_EQ(scripts_.not_modelled(), "SELECT of a database other than 0");
}

TEST_F(RedisExpiry, a_key_lives_to_the_end_of_the_millisecond_of_its_deadline) {
    tell("SET", "k", "t", "PX", 10);
    now_ = kStart + Duration(10'000);
    EXPECT_EQ(tell("PTTL", "k"), "(integer) 0");
    now_ = kStart + Duration(10'999);
    EXPECT_EQ(tell("GET", "k"), "\"t\"");
    now_ = kStart + Duration(11'000);
    EXPECT_EQ(tell("GET", "k"), "(nil)");
}

TEST_F(RedisExpiry, counts_from_the_millisecond_that_has_begun) {
    now_ = kStart + Duration(999);
    tell("SET", "k", "t", "PX", 1);
    ASSERT_NE(redis_.keys().stored("k"), nullptr);
    EXPECT_EQ(redis_.keys().stored("k")->deadline_ms, 1'700'000'000'001);
}

TEST_F(RedisExpiry, a_deadline_of_now_deletes_where_expire_sets_it_but_not_where_set_does) {
    tell("SET", "k", "t");
    EXPECT_EQ(tell("PEXPIREAT", "k", 1'700'000'000'000), "(integer) 1");
    EXPECT_EQ(tell("EXISTS", "k"), "(integer) 0");
    EXPECT_EQ(tell("SET", "k", "t", "PXAT", 1'700'000'000'000), "OK");
    EXPECT_EQ(tell("EXISTS", "k"), "(integer) 1");
    EXPECT_EQ(tell("EXPIRE", "k", 0), "(integer) 1");
    EXPECT_EQ(tell("EXISTS", "k"), "(integer) 0");
}

TEST_F(RedisExpiry, set_forgets_the_deadline_unless_told_to_keep_it) {
    tell("SET", "k", "t", "EX", 10);
    tell("SET", "k", "t", "KEEPTTL");
    EXPECT_EQ(tell("TTL", "k"), "(integer) 10");
    tell("SET", "k", "t");
    EXPECT_EQ(tell("TTL", "k"), "(integer) -1");
    EXPECT_EQ(tell("TTL", "none"), "(integer) -2");
}

TEST_F(RedisExpiry, getset_forgets_the_deadline) {
    tell("SET", "k", "t", "EX", 10);
    EXPECT_EQ(tell("GETSET", "k", "u"), "\"t\"");
    EXPECT_EQ(tell("TTL", "k"), "(integer) -1");
}

TEST_F(RedisExpiry, what_changes_a_value_in_place_keeps_the_deadline) {
    tell("SET", "n", "1", "EX", 10);
    EXPECT_EQ(tell("INCR", "n"), "(integer) 2");
    EXPECT_EQ(tell("TTL", "n"), "(integer) 10");
    tell("HSET", "h", "f", "1");
    tell("EXPIRE", "h", 10);
    EXPECT_EQ(tell("HINCRBY", "h", "f", 1), "(integer) 2");
    EXPECT_EQ(tell("TTL", "h"), "(integer) 10");
}

TEST_F(RedisExpiry, expire_takes_its_conditions) {
    tell("SET", "k", "t");
    EXPECT_EQ(tell("PEXPIRE", "k", 100, "XX"), "(integer) 0");
    EXPECT_EQ(tell("PEXPIRE", "k", 100, "GT"), "(integer) 0");
    EXPECT_EQ(tell("PEXPIRE", "k", 100, "NX"), "(integer) 1");
    EXPECT_EQ(tell("PEXPIRE", "k", 100, "LT"), "(integer) 0");
    EXPECT_EQ(tell("PEXPIRE", "k", 99, "LT"), "(integer) 1");
    EXPECT_EQ(tell("PEXPIRE", "k", 101, "GT"), "(integer) 1");
    EXPECT_EQ(tell("PERSIST", "k"), "(integer) 1");
    EXPECT_EQ(tell("PERSIST", "k"), "(integer) 0");
}

TEST_F(RedisExpiry, no_key_takes_no_deadline) {
    EXPECT_EQ(tell("EXPIRE", "none", 10), "(integer) 0");
    EXPECT_EQ(tell("PEXPIRE", "none", 10), "(integer) 0");
    EXPECT_EQ(tell("PERSIST", "none"), "(integer) 0");
    EXPECT_EQ(tell("EXISTS", "none"), "(integer) 0");
}

TEST_F(RedisExpiry, ttl_is_the_nearest_second) {
    tell("SET", "k", "t", "PX", 1499);
    EXPECT_EQ(tell("TTL", "k"), "(integer) 1");
    tell("SET", "k", "t", "PX", 1500);
    EXPECT_EQ(tell("TTL", "k"), "(integer) 2");
}

TEST_F(RedisExpiry, a_key_past_its_deadline_is_stored_until_it_is_looked_up_or_swept) {
    tell("SET", "k", "t", "PX", 10);
    now_ = kStart + Duration(11'000);
    EXPECT_EQ(tell("DBSIZE"), "(integer) 1");
    redis_.expire(now_);
    EXPECT_EQ(tell("DBSIZE"), "(integer) 0");
}

TEST_F(RedisErrors, say_what_redis_says) {
    tell("HSET", "h", "f", "v");
    tell("SET", "k", "abc");
    EXPECT_EQ(tell("GET", "h"), kWrongType);
    EXPECT_EQ(tell("HGET", "k", "f"), kWrongType);
    EXPECT_EQ(tell("SET", "h", "v", "GET"), kWrongType);
    EXPECT_EQ(tell("INCR", "k"), kNotInteger);
    EXPECT_EQ(tell("HINCRBY", "h", "f", 1), "(error) ERR hash value is not an integer");
    EXPECT_EQ(tell("get"), "(error) ERR wrong number of arguments for 'get' command");
    EXPECT_EQ(tell("Nope", "a", "b"),
              "(error) ERR unknown command 'Nope', with args beginning with: 'a' 'b' ");
    EXPECT_EQ(tell("script", "nope"), "(error) ERR unknown subcommand 'nope'. Try SCRIPT HELP.");
    EXPECT_EQ(tell("SET", "k", "v", "NX", "XX"), "(error) ERR syntax error");
    EXPECT_EQ(tell("SET", "k", "v", "EX"), "(error) ERR syntax error");
    EXPECT_EQ(tell("SET", "k", "v", "EX", "1.5"), kNotInteger);
    EXPECT_EQ(tell("SET", "k", "v", "PX", 0), "(error) ERR invalid expire time in 'set' command");
    EXPECT_EQ(tell("PEXPIRE", "k", "9223372036854775807"),
              "(error) ERR invalid expire time in 'pexpire' command");
}

TEST_F(RedisErrors, numbers_are_read_as_redis_prints_them) {
    for (const char* text : {"+1", " 1", "01", "-0", "-", "", "1x", "9223372036854775808"}) {
        tell("SET", "k", text);
        EXPECT_EQ(tell("INCR", "k"), kNotInteger) << text;
    }
    tell("SET", "k", "9223372036854775807");
    EXPECT_EQ(tell("INCR", "k"), "(error) ERR increment or decrement would overflow");
    EXPECT_EQ(tell("DECR", "k"), "(integer) 9223372036854775806");
}

TEST_F(RedisScripts, compare_and_delete_deletes_only_its_own) {
    tell("SET", "k", "other");
    EXPECT_EQ(run(kCompareAndDelete), "(integer) 0");
    tell("SET", "k", "t");
    EXPECT_EQ(run(kCompareAndDelete), "(integer) 1");
    EXPECT_EQ(run(kCompareAndDelete), "(integer) 0");
}

TEST_F(RedisScripts, have_as_many_keys_as_they_are_given) {
    static constexpr Script kSecond{"second", "return {#KEYS, KEYS[2], ARGV[1]}"};
    Command command(kSecond, 2);
    for (const char* word : {"k", "other", "t"}) command.add(word);
    EXPECT_EQ(to_string(redis_.execute(command, now_, scripts_)),
              to_string(Reply::array({Reply::integer(2), Reply::bulk("other"), Reply::bulk("t")})));
}

TEST_F(RedisScripts, values_become_replies) {
    EXPECT_EQ(eval("return 3.99"), "(integer) 3");
    EXPECT_EQ(eval("return true"), "(integer) 1");
    EXPECT_EQ(eval("return false"), "(nil)");
    EXPECT_EQ(eval("return {1, 'x', {2}, nil, 5}"), "[(integer) 1, \"x\", [(integer) 2]]");
    EXPECT_EQ(eval("return {ok = 'FINE'}"), "FINE");
    EXPECT_EQ(eval("return {err = 'MY error'}"), "(error) MY error");
    EXPECT_EQ(eval("return redis.error_reply('single')"), "(error) ERR single");
    EXPECT_EQ(eval("return {KEYS[1], ARGV[1], ARGV[2], #ARGV}"),
              "[\"k\", \"a\", \"b\", (integer) 2]");
}

TEST_F(RedisScripts, replies_become_values) {
    EXPECT_EQ(eval("return tostring(redis.call('get', 'none'))"), "\"false\"");
    EXPECT_EQ(eval("return redis.call('set', 'k', 'v').ok"), "\"OK\"");
    EXPECT_EQ(eval("return type(redis.call('incr', 'n'))"), "\"number\"");
    EXPECT_EQ(eval("return redis.pcall('hget', 'k', 'f').err:sub(1, 9)"), "\"WRONGTYPE\"");
    EXPECT_EQ(eval("redis.call('set', 'k', 3.25) return redis.call('get', 'k')"), "\"3.25\"");
    EXPECT_EQ(eval("redis.call('set', 'k', 1e15) return redis.call('get', 'k')"),
              "\"1000000000000000\"");
}

TEST_F(RedisScripts, errors_name_the_script_and_the_line) {
    const std::string place = " script: " + to_hex(sha1("\nerror('x')")) + ", on @user_script:2.";
    EXPECT_EQ(eval("\nerror('x')"), "(error) ERR user_script:2: x" + place);
    EXPECT_TRUE(eval("return nothing")
                    .starts_with("(error) ERR user_script:1: Script attempted to access "
                                 "nonexistent global variable"));
    EXPECT_TRUE(
        eval("x = 1").starts_with("(error) ERR user_script:1: Attempt to modify a readonly table"));
    EXPECT_EQ(eval("return redis.pcall('eval', 'return 1', 0).err"),
              "\"ERR This Redis command is not allowed from script\"");
    EXPECT_TRUE(run(kBroken).starts_with(
        "(error) ERR Error compiling script (new function): user_script:1:"));
}

TEST_F(RedisScripts, leave_nothing_to_the_next) {
    eval("KEYS.x = 1 ARGV[9] = 'y' ARGV[1] = nil");
    EXPECT_EQ(eval("return {KEYS.x or 'none', ARGV[1], ARGV[9] or 'none'}"),
              "[\"none\", \"a\", \"none\"]");
    eval("setmetatable(ARGV, {__index = function() return 'leak' end}) setfenv(1, {})");
    eval("setfenv(0, {}) rawset(string, 'leak', 1)");
    EXPECT_EQ(eval("return {ARGV[9] or 'none', #ARGV}"), "[\"none\", (integer) 2]");
    eval("setfenv(0, {})");
    EXPECT_EQ(eval("return loadstring('return ARGV[1]')()"), "\"a\"");
    const std::string first = eval("return tostring(math.random())");
    EXPECT_EQ(eval("return tostring(math.random())"), first);
}

TEST_F(RedisScripts, see_one_instant) {
    now_ = kStart + Duration(1'234'567);
    EXPECT_EQ(eval("return redis.call('time')"), "[\"1700000001\", \"234567\"]");
    EXPECT_EQ(eval("redis.call('set', 'k', 'v', 'px', 1) return redis.call('pttl', 'k')"),
              "(integer) 1");
}

TEST_F(RedisScripts, the_cache_knows_what_was_run_or_loaded) {
    const std::string sha = to_hex(sha1(kCount.lua));
    const std::string none = "(error) NOSCRIPT No matching script. Please use EVAL.";
    EXPECT_EQ(tell("EVALSHA", sha, 1, "n"), none);
    EXPECT_EQ(run(kCount), "(integer) 1");
    EXPECT_EQ(tell("EVALSHA", sha, 1, "k"), "(integer) 2");
    redis_.script_flush();
    EXPECT_EQ(tell("EVALSHA", sha, 1, "k"), none);
    EXPECT_EQ(tell("SCRIPT", "LOAD", kCount.lua), '"' + sha + '"');
    EXPECT_EQ(tell("SCRIPT", "EXISTS", sha, "x"), "[(integer) 1, (integer) 0]");
    ScriptEngine other;
    EXPECT_EQ(redis_.execute(Command::of("EVALSHA", sha, 1, "k"), now_, other), Reply::integer(3));
}

}  // namespace
}  // namespace locklab::redis_model_test
