#include "harness/check/token_order.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "tests/check/story.h"

namespace locklab::token_order_test {
namespace {

std::vector<StaleToken> found_in(const History& history) { return stale_tokens(KeyLog(history)); }

/// One after another, with these tokens; client i has the ith.
Story& one_by_one(Story& story, std::initializer_list<std::uint64_t> fences) {
    std::uint32_t client = 0;
    for (const std::uint64_t fence : fences) {
        story.wants(client).sets(client, "t", 100).fenced(client, fence);
        story.leaving(client).deletes(client).released(client);
        ++client;
    }
    return story;
}

History with_tokens(std::initializer_list<std::uint64_t> fences) {
    Story story;
    return one_by_one(story, fences).end();
}

TEST(TokenOrder, tokens_that_grow_are_in_order) {
    EXPECT_TRUE(found_in(with_tokens({1, 2, 7, 8})).empty());
}

TEST(TokenOrder, grants_without_tokens_have_none) {
    EXPECT_TRUE(found_in(with_tokens({5, 0, 0, 6})).empty());
}

TEST(TokenOrder, a_token_that_is_lower_or_equal_is_old) {
    for (const std::uint64_t second : {3, 4}) {
        const auto found = found_in(with_tokens({4, second}));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].client, ClientId{1});
        EXPECT_EQ(found[0].grant, 2U);
        EXPECT_EQ(found[0].token, second);
        EXPECT_EQ(found[0].before, 1U);
        EXPECT_EQ(found[0].before_token, 4U);
        EXPECT_EQ(found[0].cause, Cause::old_token);
    }
}

TEST(TokenOrder, it_is_compared_with_the_highest_and_not_with_the_last) {
    Story story;
    story.wants(0).wants(1).wants(2);
    // Nobody knows which of the first two came first.
    story.fenced(0, 9).fenced(1, 3).refused(2).fenced(2, 5);
    const auto found = found_in(story.end());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].before_token, 9U);
}

TEST(TokenOrder, a_counter_that_is_lost_once_is_told_once) {
    const auto found = found_in(with_tokens({1, 2, 3, 4, 1, 2, 3}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].grant, 5U);
}

TEST(TokenOrder, a_client_may_have_its_own_token_again_but_no_lower_one) {
    const auto again = [](std::uint64_t fence) {
        return Story().wants(0).fenced(0, 4).released(0).wants(0).fenced(0, fence).end();
    };
    EXPECT_TRUE(found_in(again(4)).empty());
    EXPECT_EQ(found_in(again(3)).size(), 1U);
    const History with_another_between =
        Story().wants(0).fenced(0, 4).wants(1).fenced(1, 5).wants(0).fenced(0, 4).end();
    EXPECT_EQ(found_in(with_another_between).size(), 1U);
}

/// A try that was under way as the other was told: what counts is when its command took the key.
TEST(TokenOrder, a_grant_is_taken_when_its_command_ran) {
    Story early;
    early.wants(0).wants(1).sets(1, "b", 9).fenced(0, 2).fenced(1, 1);
    EXPECT_TRUE(found_in(early.end()).empty()) << "the first was told late";
    Story late;
    late.wants(0).wants(1).fenced(0, 2).sets(1, "b", 9).fenced(1, 1);
    EXPECT_EQ(found_in(late.end()).size(), 1U);
    Story live("live");
    live.wants(0).wants(1).fenced(0, 2).sets(1, "b", 9).fenced(1, 1);
    EXPECT_TRUE(found_in(live.end()).empty()) << "it may have run before";
}

TEST(TokenOrder, without_its_command_a_grant_is_taken_as_its_try_sends_its_first) {
    EXPECT_TRUE(found_in(Story().wants(0).wants(1).fenced(0, 2).fenced(1, 1).end()).empty());
    EXPECT_EQ(found_in(Story().wants(0).fenced(0, 2).wants(1).fenced(1, 1).end()).size(), 1U);
    const History later_try = Story().wants(0).wants(1).fenced(0, 2).refused(1).fenced(1, 1).end();
    EXPECT_EQ(found_in(later_try).size(), 1U);
    const auto sending = [](bool before) {
        Story story("live");
        story.wants(0).wants(1);
        const Command command = Command::of("GET", "k");
        if (before) story.sent(1, Phase::acquire, 7, command);
        story.fenced(0, 2);
        if (!before) story.sent(1, Phase::acquire, 7, command);
        return story.sent(1, Phase::acquire, 8, command).fenced(1, 1).end();
    };
    EXPECT_TRUE(found_in(sending(true)).empty());
    EXPECT_EQ(found_in(sending(false)).size(), 1U);
}

TEST(TokenOrder, a_lock_that_is_taken_a_second_time_keeps_its_token) {
    Story story;
    story.wants(0).sets(0, "a", 100).fenced(0, 3);
    story.note(0, Phase::acquire, event::Wants{true});
    EXPECT_TRUE(found_in(story.fenced(0, 2).end()).empty());
}

TEST(TokenOrder, what_lost_the_counter_is_told) {
    Story restarted;
    one_by_one(restarted, {5});
    restarted.fault(0, Hazard::restart).wants(1).fenced(1, 1);
    EXPECT_EQ(found_in(restarted.end()).at(0).cause, Cause::lost_data);
    Story paused;
    one_by_one(paused, {5});
    paused.fault(0, Hazard::pause).wants(1).fenced(1, 1);
    EXPECT_EQ(found_in(paused.end()).at(0).cause, Cause::old_token);
    Story failed_over;
    one_by_one(failed_over, {5});
    failed_over.fault(0, Hazard::failover, 0, NodeId{1}).wants(1).fenced(1, 1);
    EXPECT_EQ(found_in(failed_over.end()).at(0).cause, Cause::failover);
}

TEST(TokenOrder, an_old_token_is_a_violation) {
    const Judgement judged = judge(with_tokens({2, 1}));
    EXPECT_EQ(judged.verdict, Verdict::violated);
    EXPECT_EQ(judged.overlaps, 0U);
    EXPECT_EQ(judged.fence_inversions, 1U);
    EXPECT_EQ(judged.causes[Cause::old_token], 1U);
    ASSERT_EQ(judged.violations.size(), 1U);
    EXPECT_EQ(judged.violations[0].token, 1U);
    EXPECT_EQ(judged.violations[0].other_token, 2U);
}

}  // namespace
}  // namespace locklab::token_order_test
