// Tries that are refused falsely: counted where that is certain, and nowhere else.

#include "harness/check/refusal.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "tests/check/story.h"

namespace locklab::refusal_test {
namespace {

Command set_nx(const char* token) { return Command::of("SET", "k", token, "NX", "PX", 100); }

/// A client sends a command of its try, which runs and is answered, all at once.
Story& asks(Story& story, std::uint32_t c, std::uint64_t call, const Command& command,
            const Reply& reply) {
    return story.sent(c, Phase::acquire, call, command)
        .ran(c, Phase::acquire, command, reply, 0, call)
        .replied(c, call, reply);
}
Story& is_refused(Story& story, std::uint32_t c, std::uint64_t call) {
    return asks(story, c, call, set_nx("t"), Reply::nil()).refused(c);
}
Refusals found(const History& history) { return judge(history).refusals; }

/// Client 0 has set the key, and was not told.
Story unanswered(const std::string& world = "sim") {
    Story story(world);
    story.wants(0).wants(1).sent(0, Phase::acquire, 1, set_nx("a"));
    story.ran(0, Phase::acquire, set_nx("a"), Reply::ok(), 0, 1).at(20);
    if (world == "live") story.replied(0, 1, Reply::ok());
    return story.note(0, Phase::acquire, event::Refused{true});
}

TEST(Refusal, rejects_a_try_at_what_is_the_callers_own) {
    Story story = unanswered().at(30);
    const Refusals refusals = found(is_refused(story, 0, 2).end());
    EXPECT_EQ(refusals.refused, 1U);
    EXPECT_EQ(refusals.of_own, 1U);
    EXPECT_EQ(refusals.of_nobodys, 0U);
    EXPECT_EQ(refusals.first_client, ClientId{0});
    EXPECT_EQ(refusals.first_at, ms(30));
}

TEST(Refusal, rejects_a_second_request_of_the_same_call) {
    Story story;
    story.wants(0).sent(0, Phase::acquire, 1, set_nx("a"));
    story.ran(0, Phase::acquire, set_nx("a"), Reply::ok(), 0, 1);
    story.ran(0, Phase::acquire, set_nx("a"), Reply::nil(), 0, 1);
    EXPECT_EQ(found(story.replied(0, 1, Reply::nil()).refused(0).end()).of_own, 1U);
}

TEST(Refusal, rejects_a_try_at_what_is_nobodys) {
    Story story;
    story.wants(0);
    const Command looks = Command::of("GET", "k");
    const Refusals refusals = found(asks(story, 0, 1, looks, Reply::nil()).refused(0).end());
    EXPECT_EQ(refusals.of_own, 0U);
    EXPECT_EQ(refusals.of_nobodys, 1U);
}

TEST(Refusal, rejects_a_try_at_a_key_that_has_run_out) {
    const auto refused_at = [](std::int64_t t) {
        Story story = unanswered().at(t);
        const Command looks = Command::of("GET", "k");
        return found(
            asks(story, 1, 2, looks, t > 100 ? Reply::nil() : Reply::bulk("a")).refused(1).end());
    };
    EXPECT_EQ(refused_at(99).of_nobodys, 0U);
    EXPECT_EQ(refused_at(102).of_nobodys, 1U);
}

TEST(Refusal, accepts_a_try_at_what_another_has_left_behind) {
    Story story = unanswered().at(30);
    const Refusals refusals = found(is_refused(story, 1, 2).end());
    EXPECT_EQ(refusals.refused, 1U);
    EXPECT_EQ(refusals.falsely(), 0U);
}

TEST(Refusal, accepts_a_try_while_another_is_inside) {
    // Its key has run out, and it has not left yet.
    Story story;
    story.wants(0).wants(1).sets(0, "a", 100).granted(0, "a", 100).at(200);
    const Command looks = Command::of("GET", "k");
    EXPECT_EQ(found(asks(story, 1, 2, looks, Reply::nil()).refused(1).end()).falsely(), 0U);
}

TEST(Refusal, accepts_an_unsure_end_of_a_try) { EXPECT_EQ(found(unanswered().end()).refused, 0U); }

TEST(Refusal, accepts_a_try_that_also_looked_elsewhere) {
    Story story;
    story.wants(0);
    asks(story, 0, 1, Command::of("GET", "k:other"), Reply::nil());
    EXPECT_EQ(
        found(asks(story, 0, 2, Command::of("GET", "k"), Reply::nil()).refused(0).end()).falsely(),
        0U);
    static constexpr Script kElsewhere{"elsewhere",
                                       "return redis.call('get', KEYS[1] .. ':queue')"};
    Story other;
    other.wants(0);
    const Command script = Command::eval(kElsewhere, Key{"k"});
    EXPECT_EQ(found(asks(other, 0, 1, script, Reply::nil()).refused(0).end()).falsely(), 0U);
    static constexpr Script kHere{"here", "return redis.call('get', KEYS[1])"};
    Story here;
    here.wants(0);
    const Command looks = Command::eval(kHere, Key{"k"});
    EXPECT_EQ(found(asks(here, 0, 1, looks, Reply::nil()).refused(0).end()).falsely(), 1U);
}

TEST(Refusal, accepts_who_gives_back_what_it_has_taken) {
    Story story;
    story.wants(0);
    asks(story, 0, 1, set_nx("a"), Reply::ok());
    EXPECT_EQ(found(asks(story, 0, 2, Command::of("DEL", "k"), Reply::integer(1)).refused(0).end())
                  .falsely(),
              0U);
    // Who keeps it has been refused its own.
    Story keeps;
    keeps.wants(0);
    EXPECT_EQ(found(asks(keeps, 0, 1, set_nx("a"), Reply::ok()).refused(0).end()).of_own, 1U);
}

TEST(Refusal, accepts_a_key_that_several_have_written) {
    const Command counts = Command::of("INCR", "k");
    Story story;
    story.wants(0).wants(1).ran(0, Phase::acquire, counts, Reply::integer(1));
    asks(story, 1, 1, counts, Reply::integer(2)).refused(1);
    EXPECT_EQ(found(asks(story, 1, 2, counts, Reply::integer(3)).refused(1).end()).falsely(), 0U);
}

TEST(Refusal, accepts_live_what_may_have_crossed) {
    Story alone = unanswered("live").at(30);
    EXPECT_EQ(found(is_refused(alone, 0, 2).end()).of_own, 1U);
    // A command of another is under way, and may have run first.
    Story crossed = unanswered("live").at(25);
    crossed.sent(1, Phase::acquire, 9, set_nx("b")).at(30);
    EXPECT_EQ(found(is_refused(crossed, 0, 2).end()).falsely(), 0U);
}

/// Two commands of one client came over two connections at once, as when a partition ends.
TEST(Refusal, says_nothing_of_a_key_whose_last_changes_crossed) {
    const auto refused = [](std::int64_t ago) {
        Story story("live");
        story.wants(0).wants(1).at(20).ran(0, Phase::acquire, set_nx("a"), Reply::ok(), 15);
        story.at(25).ran(0, Phase::release, Command::of("DEL", "k"), Reply::integer(1), ago);
        story.at(30);
        return found(is_refused(story, 1, 3).end());
    };
    EXPECT_EQ(refused(4).of_nobodys, 1U);
    EXPECT_EQ(refused(6).falsely(), 0U);
}

TEST(Refusal, says_nothing_where_the_server_may_have_other_data) {
    Story story = unanswered().fault(0, Hazard::restart_snapshot).at(30);
    EXPECT_EQ(found(is_refused(story, 0, 2).end()).falsely(), 0U);
}

TEST(Refusal, are_added_up_with_the_first) {
    Story story = unanswered().at(30);
    Refusals sum;
    sum.add(found(is_refused(story, 0, 2).end()));
    sum.add(found(is_refused(story, 0, 3).end()));
    EXPECT_EQ(sum.refused, 3U);
    EXPECT_EQ(sum.of_own, 3U);
    EXPECT_EQ(sum.first_at, ms(30));
}

TEST(Refusal, an_eviction_of_another_key_leaves_the_lock_its_owners) {
    for (const char* key : {"", "k:fence"}) {
        Story story;
        story.wants(0).sent(0, Phase::acquire, 1, set_nx("a"));
        story.ran(0, Phase::acquire, set_nx("a"), Reply::ok(), 0, 1);
        story.note(0, Phase::acquire, event::Fault{Hazard::evict, {}, 0, NodeId{0}, false, key});
        story.wants(1);
        const bool is_nobodys = found(is_refused(story, 1, 2).end()).of_nobodys > 0;
        EXPECT_EQ(is_nobodys, std::string_view(key).empty()) << key;
    }
}

TEST(Refusal, a_flush_leaves_the_lock_to_nobody) {
    Story story;
    story.wants(0).sent(0, Phase::acquire, 1, set_nx("a"));
    story.ran(0, Phase::acquire, set_nx("a"), Reply::ok(), 0, 1);
    story.note(0, Phase::acquire, event::Fault{Hazard::flush}).wants(1);
    EXPECT_GT(found(is_refused(story, 1, 2).end()).of_nobodys, 0U);
}

}  // namespace
}  // namespace locklab::refusal_test
