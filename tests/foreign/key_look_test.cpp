// What a command did to the lock's key, seen on a real redis-server before and after it.

#include "harness/foreign/key_look.h"

#include <gtest/gtest.h>

#include "harness/core/choices.h"
#include "harness/live/redis_process.h"

namespace locklab::key_look_test {
namespace {

using Kind = KeyEffect::Kind;

class KeyLookTest : public ::testing::Test {
protected:
    /// What this command does to the key.
    template <class... Words>
    KeyEffect effect(const Words&... words) {
        const KeyLook before = watch_.look();
        SyncConnection(server_.endpoint()).command(Command::of(words...));
        return watch_.look().after(before);
    }

    RedisProcess server_;
    KeyWatch watch_{server_.endpoint(), "k"};
};

TEST_F(KeyLookTest, a_key_is_made_written_anew_extended_and_deleted) {
    EXPECT_EQ(effect("SET", "k", "a", "NX", "PX", "5000").kind, Kind::created);
    EXPECT_EQ(effect("SET", "k", "b", "NX", "PX", "5000").kind, Kind::none);
    EXPECT_EQ(effect("GET", "k").kind, Kind::none);
    EXPECT_EQ(effect("PEXPIRE", "k", "9000").kind, Kind::extended);
    EXPECT_EQ(effect("PEXPIRE", "k", "2000").kind, Kind::extended);
    EXPECT_EQ(effect("GETSET", "k", "c").kind, Kind::replaced);
    EXPECT_EQ(effect("EXPIRE", "k", "5").kind, Kind::extended) << "it had no time to live";
    EXPECT_EQ(effect("DEL", "k").kind, Kind::deleted);
    EXPECT_EQ(effect("DEL", "k").kind, Kind::none);
}

TEST_F(KeyLookTest, of_a_hash_the_field_is_its_holder) {
    EXPECT_EQ(effect("HINCRBY", "k", "me", "1").kind, Kind::created);
    EXPECT_EQ(effect("HINCRBY", "k", "me", "1").kind, Kind::extended);
    EXPECT_EQ(watch_.look().value, "me: 2");
    EXPECT_EQ(effect("EVAL", "redis.call('DEL', 'k') redis.call('HSET', 'k', 'you', 1)", "0").kind,
              Kind::replaced);
    watch_.remove();
    EXPECT_EQ(watch_.look().value, std::nullopt);
}

/// No model has such a key, so that nobody knows whose it is.
TEST_F(KeyLookTest, of_a_set_it_is_uncertain_what_a_command_did) {
    const auto source = [&](const auto&... words) {
        const Command command = Command::of(words...);
        const KeyLook before = watch_.look();
        SyncConnection(server_.endpoint()).command(command);
        return effect_of(command, before, watch_.look()).source;
    };
    using Source = KeyEffect::Source;
    EXPECT_EQ(source("ZADD", "k", "1", "a"), Source::uncertain);
    EXPECT_EQ(source("ZADD", "k", "2", "b"), Source::uncertain);
    EXPECT_EQ(source("DEL", "k"), Source::uncertain);
    EXPECT_EQ(source("SETNX", "k", "a"), Source::seen);
    EXPECT_EQ(source("DEL", "k"), Source::seen);
    EXPECT_EQ(source("HSET", "k", "a", "1"), Source::seen);
}

TEST_F(KeyLookTest, what_was_about_to_expire_was_deleted_by_nobody) {
    KeyLook before;
    before.value = "a";
    before.ttl = std::chrono::milliseconds(1);
    KeyLook other;
    other.value = "b";
    EXPECT_EQ(KeyLook().after(before).kind, Kind::none);
    EXPECT_EQ(other.after(before).kind, Kind::created);
    EXPECT_EQ(before.after(before).kind, Kind::none);
    before.ttl = std::chrono::milliseconds(500);
    EXPECT_EQ(KeyLook().after(before).kind, Kind::deleted);
    EXPECT_EQ(other.after(before).kind, Kind::replaced);
}

/// Whatever database a library takes, and whatever it puts before the name.
TEST_F(KeyLookTest, a_lock_is_evicted_wherever_it_is) {
    SyncConnection server(server_.endpoint());
    const auto ask = [&](const Command& command) { return server.command(command); };
    const auto evicts = [&] { return evict_lock("k", ask); };
    EXPECT_FALSE(evicts()) << "there is none";
    ask(Command::of("SET", "k", "a"));
    ask(Command::of("SET", "k:fence", "7"));
    EXPECT_TRUE(evicts());
    EXPECT_FALSE(evicts()) << "what is left is a counter, and no lock";
    ask(Command::of("SET", "lock:{k}", "a", "PX", "5000"));
    EXPECT_TRUE(evicts());
    ask(Command::of("SELECT", "3"));
    ask(Command::of("SET", "k", "a"));
    EXPECT_TRUE(evicts());
    EXPECT_EQ(ask(Command::of("GET", "k:fence")).text(), "7") << "its own database is the first";
    ask(Command::of("SELECT", "3"));
    EXPECT_TRUE(ask(Command::of("GET", "k")).is_nil());
}

/// Histories say of which key it was; what may be the lock counts as the lock.
TEST_F(KeyLookTest, any_key_is_evicted_in_any_database) {
    SyncConnection server(server_.endpoint());
    const auto ask = [&](const Command& command) { return server.command(command); };
    const auto evicted = [&](std::uint32_t quantile) { return evict_any("k", {quantile}, ask); };
    EXPECT_FALSE(evicted(0).key) << "there is none";
    ask(Command::of("SET", "counter:k", "7"));
    ask(Command::of("SELECT", "3"));
    ask(Command::of("SET", "lock:{k}", "a", "PX", "5000"));
    const Eviction meant = evicted(kQuantiles - 1);
    EXPECT_EQ(meant.key, "lock:{k}");
    EXPECT_EQ(meant.told(), "") << "it is the lock, as this library names it";
    ask(Command::of("SELECT", "3"));
    ask(Command::of("SET", "k", "a"));
    ask(Command::of("SET", "lock:{k}", "a", "PX", "5000"));
    EXPECT_EQ(evicted(kQuantiles - 1).told(), "lock:{k}") << "another key is the lock";
    EXPECT_EQ(evicted(0).told(), "counter:k");
    EXPECT_EQ(evicted(0).told(), "");
    EXPECT_FALSE(evicted(0).key);
}

}  // namespace
}  // namespace locklab::key_look_test
