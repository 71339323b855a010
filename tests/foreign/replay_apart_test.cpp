// What a run of a foreign library sent is worked out in a child process as it is in this one.
#include "harness/foreign/replay_apart.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/foreign/team.h"
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
    const Inclusion found = replay_apart(apart, {}, "lib:x");
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

std::string trouble_with(const Script& script) {
    History history = history_of(script);
    try {
        replay_apart(history, {}, "lib:x");
    } catch (const DriverTrouble& trouble) {
        return trouble.what();
    }
    return "none";
}

TEST(ReplayApart, a_script_without_end_is_refused) {
    EXPECT_EQ(trouble_with(kEndless),
              "What lib:x sent cannot be judged: scripts of more than 50,000,000 instructions are "
              "not run.");
}

TEST(ReplayApart, a_script_that_crashes_lua_ends_the_child_alone) {
    const std::string said = trouble_with(kCrash);
    EXPECT_TRUE(said.starts_with("What lib:x sent cannot be judged: running it again ")) << said;
}

}  // namespace

}  // namespace locklab::replay_apart_test
