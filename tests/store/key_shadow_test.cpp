// What commands did to the lock's key where nobody saw the keyspace: by their replies.
#include "harness/store/redis/key_shadow.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/check/story.h"

namespace locklab::key_shadow_test {
namespace {

/// What each execution is said to have done, in short: "created 100, none, deleted?".
std::string effects(const History& history) {
    std::string text;
    for (const Event& event : history.events) {
        const auto* ran = std::get_if<event::Executed>(&event.detail);
        if (ran == nullptr) continue;
        if (!text.empty()) text += ", ";
        text += name_of(ran->effect.kind);
        const bool lives = ran->effect.ttl != Duration::zero();
        if (lives) text += " " + std::to_string(us(ran->effect.ttl) / 1000);
        EXPECT_NE(ran->effect.source, KeyEffect::Source::untold);
        if (ran->effect.source == KeyEffect::Source::uncertain) text += "?";
    }
    return text;
}

/// Of one command alone.
std::string effect(Command command, Reply reply) {
    return effects(Story("theirs").ran(0, Phase::idle, std::move(command), std::move(reply)).end());
}

TEST(KeyShadow, a_command_alone_means_what_its_reply_allows) {
    const Reply one = Reply::integer(1);
    EXPECT_EQ(effect(Command::of("SET", "k", "t", "NX", "EX", 10), Reply::ok()), "created 10000");
    EXPECT_EQ(effect(Command::of("set", "k", "t", "nx", "px", 10), Reply::ok()), "created 10");
    EXPECT_EQ(effect(Command::of("SET", "k", "t", "NX", "EX", 10), Reply::nil()), "none");
    EXPECT_EQ(effect(Command::of("SETNX", "k", "t"), one), "created");
    EXPECT_EQ(effect(Command::of("SETNX", "k", "t"), Reply::integer(0)), "none");
    EXPECT_EQ(effect(Command::of("GETSET", "k", "t"), Reply::bulk("u")), "replaced");
    EXPECT_EQ(effect(Command::of("GETSET", "k", "t"), Reply::nil()), "created");
    EXPECT_EQ(effect(Command::of("PEXPIRE", "k", 10), one), "extended 10");
    EXPECT_EQ(effect(Command::of("PEXPIRE", "k", 10), Reply::integer(0)), "none");
    EXPECT_EQ(effect(Command::of("EXPIRE", "k", 0), one), "deleted");
    EXPECT_EQ(effect(Command::of("UNLINK", "k"), one), "deleted");
    EXPECT_EQ(effect(Command::of("DEL", "k"), Reply::integer(0)), "none");
    EXPECT_EQ(effect(Command::of("GETDEL", "k"), Reply::bulk("t")), "deleted");
    EXPECT_EQ(effect(Command::of("GET", "k"), Reply::bulk("t")), "none");
    EXPECT_EQ(effect(Command::eval(kDeleteOwn, Key{"k"}, "t"), Reply::integer(1)), "deleted");
    EXPECT_EQ(effect(Command::of("SET", "k", "t"), Reply::error("OOM no memory")), "none");
}

TEST(KeyShadow, what_nothing_explains_is_uncertain_and_did_nothing) {
    EXPECT_EQ(effect(Command::of("DEL", "k"), Reply::bulk("three")), "none?");
    EXPECT_EQ(effect(Command::of("FROBNICATE", "k"), Reply::ok()), "none?");
    EXPECT_EQ(effect(Command::of("SET", "k", "t"), Reply::unknown()), "created?");
    static constexpr Script kNameless{"theirs", ""};
    EXPECT_EQ(effect(Command::eval(kNameless, Key{"k"}), Reply::integer(1)), "none?");
}

TEST(KeyShadow, follows_the_key_from_command_to_command) {
    const History history =
        Story("live")
            .sets(0, "a", 100)
            .at(10)
            .ran(1, Phase::acquire, Command::of("SETEX", "k", 1, "b"), Reply::ok())
            .at(20)
            .ran(0, Phase::release, Command::eval(kDeleteOwn, Key{"k"}, "a"), Reply::integer(0))
            .ran(1, Phase::release, Command::eval(kDeleteOwn, Key{"k"}, "b"), Reply::integer(1))
            .end();
    EXPECT_EQ(effects(history), "created 100, replaced 1000, none, deleted");
}

TEST(KeyShadow, a_key_that_a_stranger_deleted_was_not_there) {
    const History history =
        Story("live")
            .sets(0, "a", 1000)
            .at(100)
            .sets(1, "b", 1000)
            .at(200)
            .ran(0, Phase::release, Command::eval(kDeleteOwn, Key{"k"}, "a"), Reply::integer(0))
            .end();
    EXPECT_EQ(effects(history), "created 1000, created 1000, none");
}

/// C's DEL ran before B's SET, and its reply stands after: what it deleted was A's.
TEST(KeyShadow, a_reply_that_stands_late_explains_what_was_found) {
    const History history =
        Story("live")
            .sets(0, "a", 1000)
            .at(100)
            .sets(1, "b", 1000)
            .at(101)
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 5)
            .at(150)
            .ran(1, Phase::background, Command::of("SET", "k", "b", "PX", 1000), Reply::ok())
            .end();
    EXPECT_EQ(effects(history), "created 1000, created 1000, deleted, replaced 1000");
}

TEST(KeyShadow, a_restart_and_an_eviction_empty_it) {
    for (const Hazard hazard : {Hazard::restart, Hazard::evict}) {
        const History history =
            Story("live")
                .sets(0, "a", 1000)
                .at(5)
                .fault(0, hazard)
                .at(6)
                .ran(1, Phase::acquire, Command::of("SET", "k", "b"), Reply::ok())
                .end();
        EXPECT_EQ(effects(history), "created 1000, created") << name_of(hazard);
    }
}

TEST(KeyShadow, an_old_key_that_a_snapshot_brought_back_is_found) {
    const History history =
        Story("live")
            .sets(0, "a", 1000)
            .at(5)
            .deletes(0)
            .at(6)
            .fault(0, Hazard::restart_snapshot, 5)
            .at(7)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 500), Reply::integer(1))
            .end();
    EXPECT_EQ(effects(history), "created 1000, deleted, extended 500");
}

/// Either its time had just run out, or the same holder came again: the reply is nil in both.
TEST(KeyShadow, what_two_states_explain_in_two_ways_is_uncertain) {
    static constexpr Script kTake{
        "take",
        "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[1]) == 1 "
        "then redis.call('hincrby', KEYS[1], ARGV[1], 1) return 'ok' end return 'held'"};
    const auto take = [&](const char* holder) { return Command::eval(kTake, Key{"k"}, holder); };
    const History history = Story("live")
                                .ran(0, Phase::acquire, take("a"), Reply::bulk("ok"))
                                .at(1)
                                .ran(0, Phase::acquire, take("a"), Reply::bulk("ok"))
                                .at(2)
                                .deletes(0)
                                .at(3)
                                .ran(1, Phase::acquire, take("b"), Reply::bulk("ok"))
                                .at(4)
                                .ran(0, Phase::acquire, take("a"), Reply::bulk("ok"))
                                .end();
    EXPECT_EQ(effects(history), "created, extended, deleted, created, created?");
}

TEST(KeyShadow, an_effect_that_is_told_stands_and_is_followed) {
    const History history =
        Story("theirs")
            .note(0, Phase::acquire,
                  event::Executed(0, NodeId{}, ms(0), Command(), Reply::unknown(),
                                  KeyEffect{KeyEffect::Kind::created, Duration(0)}))
            .at(5)
            .deletes(1)
            .at(6)
            .ran(2, Phase::acquire, Command::of("SET", "k", "c"), Reply::ok())
            .end();
    EXPECT_EQ(effects(history), "created, deleted, created");
}

TEST(KeyShadow, without_a_name_each_command_tells_of_its_own_key) {
    Story story("theirs");
    for (int i = 0; i < 200; ++i) {
        story.ran(0, Phase::idle, Command::of("SETNX", "lock" + std::to_string(i), "t"),
                  Reply::integer(1));
    }
    History history = story.end();
    history.key.clear();
    for (Event& event : history.events) {
        std::get<event::Executed>(event.detail).effect.source = KeyEffect::Source::untold;
    }
    tell_effects(history);
    for (const Event& event : history.events) {
        EXPECT_EQ(std::get<event::Executed>(event.detail).effect.kind, KeyEffect::Kind::created);
    }
}

/// A counter that somebody drew from before: the first answer is three, and the key is new.
TEST(KeyShadow, begins_with_the_keys_that_were_there) {
    static constexpr Script kCount{
        "count",
        "if redis.call('incr', KEYS[1] .. ':fence') == 1 then return 1 end "
        "redis.call('set', KEYS[1], ARGV[1]) return 3"};
    Story story("live");
    story.ran(0, Phase::acquire, Command::eval(kCount, Key{"k"}, "a"), Reply::integer(3));
    const auto told = [&](const std::map<NodeId, std::vector<KeyEntry>>& keys) {
        History history = story.end();
        std::get<event::Executed>(history.events[0].detail).effect.source =
            KeyEffect::Source::untold;
        tell_effects(history, keys);
        return effects(history);
    };
    EXPECT_EQ(told({{NodeId{0}, {KeyEntry{"k:fence", "2"}}}}), "created");
    EXPECT_EQ(told({}), "none?");
}

TEST(KeyShadow, an_eviction_of_another_key_leaves_it) {
    Story story("live");
    story.sets(0, "a", 1000)
        .at(5)
        .note(0, Phase::inside, event::Fault{Hazard::evict, {}, 0, NodeId{0}, false, "k:fence"});
    const History history =
        story.at(6).ran(1, Phase::acquire, Command::of("SET", "k", "b"), Reply::ok()).end();
    EXPECT_EQ(effects(history), "created 1000, replaced");
}

/// What was queued, with EXEC's answer.
std::string transaction(const Reply& of_exec) {
    const Reply queued = Reply::status("QUEUED");
    return effects(Story("live")
                       .sets(0, "a", 100)
                       .ran(0, Phase::release, Command::of("WATCH", "k"), Reply::ok())
                       .ran(0, Phase::release, Command::of("MULTI"), Reply::ok())
                       .ran(0, Phase::release, Command::of("GET", "k"), queued)
                       .ran(1, Phase::acquire, Command::of("GET", "k"), Reply::bulk("a"))
                       .ran(0, Phase::release, Command::of("DEL", "k"), queued)
                       .ran(0, Phase::release, Command::of("EXEC"), of_exec)
                       .ran(0, Phase::release, Command::of("EXISTS", "k"), Reply::integer(0))
                       .end());
}

TEST(KeyShadow, what_a_transaction_did_was_done_by_exec) {
    const std::string before = "created 100, none, none, none, none, none, ";
    EXPECT_EQ(transaction(Reply::array({Reply::bulk("a"), Reply::integer(1)})),
              before + "deleted, none");
    EXPECT_EQ(transaction(Reply::nil()), before + "none, none") << "a watched key had changed";
    EXPECT_EQ(transaction(Reply::error("EXECABORT")), before + "none, none");
    EXPECT_EQ(transaction(Reply::array({Reply::integer(1)})), before + "none?, none");
}

}  // namespace
}  // namespace locklab::key_shadow_test
