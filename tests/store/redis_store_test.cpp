// A Redis server as a store: what comes into the outbox, and what a copy is.
#include "harness/store/redis/redis_store.h"

#include <gtest/gtest.h>

namespace locklab::redis_store_test {
namespace {

constexpr WallTime kNow{std::chrono::seconds(1'800'000'000)};

class RedisStoreTest : public testing::Test {
protected:
    template <class... Words>
    Reply ask(RedisStore& store, const Words&... words) {
        const Command command = Command::of(words...);
        out_.clear();
        store.on(Request{{}, &command}, kNow, out_);
        return out_.take_reply();
    }

    ScriptEngine scripts_;
    RedisStore store_{scripts_};
    Outbox out_;
};

TEST_F(RedisStoreTest, tells_what_a_command_did_to_the_key_that_is_watched) {
    store_.watch("k");
    EXPECT_TRUE(ask(store_, "SET", "k", "t", "NX").is_ok());
    EXPECT_EQ(out_.delta(), (KeyEffect{KeyEffect::Kind::created}));
    EXPECT_TRUE(ask(store_, "SET", "k", "u", "NX").is_nil());
    EXPECT_EQ(out_.delta(), KeyEffect());
    EXPECT_TRUE(ask(store_, "SET", "other", "t").is_ok());
    EXPECT_EQ(out_.delta(), KeyEffect());
    EXPECT_EQ(ask(store_, "DEL", "k"), Reply::integer(1));
    EXPECT_EQ(out_.delta(), (KeyEffect{KeyEffect::Kind::deleted}));
}

TEST_F(RedisStoreTest, watches_a_key_without_a_name_as_any_other) {
    store_.watch("");
    EXPECT_TRUE(ask(store_, "SET", "", "t").is_ok());
    EXPECT_EQ(out_.delta(), (KeyEffect{KeyEffect::Kind::created}));
}

TEST_F(RedisStoreTest, tells_nothing_where_no_key_is_watched) {
    EXPECT_TRUE(ask(store_, "SET", "k", "t").is_ok());
    EXPECT_FALSE(out_.delta());
    EXPECT_FALSE(out_.note());
}

TEST_F(RedisStoreTest, keeps_its_data_when_a_connection_closes) {
    ask(store_, "SET", "k", "t");
    out_.clear();
    store_.on(Closed{{}}, kNow, out_);
    EXPECT_EQ(ask(store_, "GET", "k"), Reply::bulk("t"));
}

TEST_F(RedisStoreTest, drops_what_has_expired_as_time_passes) {
    ask(store_, "SET", "k", "t", "PX", 10);
    const std::chrono::milliseconds ms(1);
    store_.on(Tick{}, kNow + 10 * ms, out_);
    EXPECT_NE(store_.data().keys().stored("k"), nullptr);
    store_.on(Tick{}, kNow + 11 * ms, out_);
    EXPECT_EQ(store_.data().keys().stored("k"), nullptr);
}

TEST_F(RedisStoreTest, goes_its_own_way_once_it_is_copied) {
    ask(store_, "SET", "k", "t");
    RedisStore copy = store_;
    ask(store_, "DEL", "k");
    EXPECT_EQ(ask(copy, "GET", "k"), Reply::bulk("t"));
    EXPECT_TRUE(ask(store_, "GET", "k").is_nil());
}

}  // namespace
}  // namespace locklab::redis_store_test
