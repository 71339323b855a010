// What a run of a foreign library sent is worked out in a child process as it is in this one.
#include "harness/foreign/replay_apart.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/driver/apart.h"
#include "harness/store/redis/key_shadow.h"

namespace locklab::replay_apart_test {

namespace {

/// One command, of which nobody saw what it did.
History history_of(const Script& script) {
    History history;
    history.clients = 1;
    history.key = "k";
    history.events.push_back(
        {Instant(std::chrono::milliseconds(1)), ClientId{0}, Phase::acquire,
         event::Executed{
             1, {}, Instant(), Command::eval(script, Key{"k"}, "t"), Reply::integer(1)}});
    return history;
}

constexpr Script kTake{"take", "redis.call('set', KEYS[1], ARGV[1], 'px', 5000) return 1"};
constexpr Script kEndless{"endless", "while true do end"};
/// Lua 5.1 tries a pattern by recursion, and its stack has an end.
constexpr Script kCrash{"crash",
                        "return string.find(string.rep('a', 900000), string.rep('a?', 900000))"};

TEST(ReplayApart, finds_what_a_replay_in_this_process_finds) {
    History apart = history_of(kTake);
    History here = history_of(kTake);
    const Inclusion found = replay_apart(apart, {});
    const Inclusion expected = find_order(here, {});
    tell_effects(here, {});
    EXPECT_EQ(found.found, expected.found);
    EXPECT_EQ(found.executions, expected.executions);
    EXPECT_EQ(found.unanswered, expected.unanswered);
    EXPECT_EQ(found.event, expected.event);
    EXPECT_EQ(found.why, expected.why);
    const auto& effect = std::get<event::Executed>(apart.events[0].detail).effect;
    EXPECT_EQ(effect, std::get<event::Executed>(here.events[0].detail).effect);
    EXPECT_EQ(effect.kind, KeyEffect::Kind::created);
    EXPECT_EQ(effect.ttl, std::chrono::seconds(5));
}

TEST(ReplayApart, a_script_without_end_is_refused) {
    History history = history_of(kEndless);
    try {
        replay_apart(history, {});
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "scripts of more than 50,000,000 instructions");
    }
}

TEST(ReplayApart, a_script_that_crashes_lua_ends_the_child_alone) {
    History history = history_of(kCrash);
    EXPECT_THROW(replay_apart(history, {}), ApartError);
}

}  // namespace

}  // namespace locklab::replay_apart_test
