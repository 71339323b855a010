// Clients that take several locks, one inside the other: each lock is judged by itself, and who
// waits for each other is stuck.

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "harness/check/trespass.h"
#include "tests/check/story.h"

namespace locklab::several_locks_test {
namespace {

constexpr ResourceId kFirst{0};
constexpr ResourceId kSecond{1};
constexpr ResourceId kThird{2};

/// Client 0 has lock 0 and wants lock 1, and client 1 the other way round.
Story crossed() {
    Story story;
    story.about(0).wants(0).at(1).granted(0);
    story.about(1).wants(1).at(2).granted(1);
    story.about(1).wants(0).about(0).wants(1);
    return story;
}

TEST(SeveralLocks, who_waits_for_each_other_is_stuck) {
    const Judgement found = judge(crossed().end(200, 100));
    EXPECT_EQ(found.verdict, Verdict::stuck);
    const Deadlock circle{{ClientId{0}, kFirst, kSecond}, {ClientId{1}, kSecond, kFirst}};
    EXPECT_EQ(found.deadlock, circle);
    EXPECT_EQ(found.liveness.waiting, (std::vector{ClientId{0}, ClientId{1}}));
}

TEST(SeveralLocks, a_circle_that_has_not_lasted_is_none) {
    EXPECT_EQ(judge(crossed().end(50, 100)).verdict, Verdict::holds);
}

/// A lease ran out, and the circle was broken.
TEST(SeveralLocks, a_circle_that_a_grant_broke_is_none) {
    Story story = crossed();
    story.about(1).at(20).granted(0).at(30).leaving(0).released(0).about(0).released(0);
    EXPECT_TRUE(judge(story.end(200, 100)).deadlock.empty());
}

TEST(SeveralLocks, who_waits_in_the_same_order_is_in_no_circle) {
    Story story;
    story.about(0).wants(0).at(1).granted(0).about(1).wants(0).granted(0).about(0).wants(1);
    EXPECT_EQ(judge(story.end(200, 100)).verdict, Verdict::holds);
}

TEST(SeveralLocks, three_may_wait_for_each_other) {
    Story story;
    for (const std::uint32_t i : {0U, 1U, 2U}) story.about(i).wants(i).granted(i);
    for (const std::uint32_t i : {0U, 1U, 2U}) story.about((i + 1) % 3).wants(i);
    const Deadlock circle{{ClientId{0}, kFirst, kSecond},
                          {ClientId{1}, kSecond, kThird},
                          {ClientId{2}, kThird, kFirst}};
    EXPECT_EQ(judge(story.end(200, 100)).deadlock, circle);
}

/// The dead do not wait: whoever wants what one of them has waits for nobody, and is stuck by that.
TEST(SeveralLocks, the_dead_are_in_no_circle) {
    Story story = crossed();
    const Judgement found = judge(story.at(3).crash(1).end(200, 100));
    EXPECT_TRUE(found.deadlock.empty());
    EXPECT_EQ(found.verdict, Verdict::stuck);
    EXPECT_EQ(found.liveness.waiting, std::vector{ClientId{0}});
}

TEST(SeveralLocks, a_history_without_releases_ends_a_hold_by_leaving) {
    Story story;
    story.about(0).wants(0).granted(0).about(1).wants(1).granted(1);
    story.about(0).leaving(0).about(1).leaving(1);
    story.about(1).wants(0).about(0).wants(1);
    EXPECT_TRUE(judge(story.end(200, 100)).deadlock.empty());
}

TEST(SeveralLocks, different_locks_are_had_together) {
    Story story;
    story.about(0).wants(0).granted(0).about(1).wants(1).granted(1);
    const Judgement found = judge(story.end(10));
    EXPECT_EQ(found.verdict, Verdict::holds);
    EXPECT_EQ(found.grants, 2U);
    EXPECT_EQ(found.client_grants, (std::vector<std::uint64_t>{1, 1}));
}

TEST(SeveralLocks, who_takes_a_second_lock_keeps_the_first) {
    Story story;
    story.about(0).wants(0).at(1).granted(0).about(1).wants(0).at(2).granted(0);
    story.about(1).at(3).leaving(0).released(0).about(0).wants(1).at(4).granted(1);
    const Judgement found = judge(story.end(10));
    EXPECT_EQ(found.overlaps, 1U);
    ASSERT_EQ(found.violations.size(), 1U);
    EXPECT_EQ(found.violations[0].lock, kFirst);
    EXPECT_EQ(found.violations[0].other, 1U);
    EXPECT_EQ(found.violations[0].grant, 3U);
}

/// In the order in which they happened, whichever lock it is.
TEST(SeveralLocks, violations_of_all_are_told_in_turn) {
    Story story;
    for (const std::uint32_t lock : {1U, 0U, 2U}) {
        story.about(lock).wants(0).at(10 - lock).granted(0).wants(1).granted(1);
    }
    std::vector<ResourceId> locks;
    const Judgement found = judge(story.end(20));
    for (const Violation& violation : found.violations) locks.push_back(violation.lock);
    EXPECT_EQ(locks, (std::vector{kSecond, kFirst, kThird}));
    EXPECT_EQ(found.overlaps, 3U);
    EXPECT_EQ(found.causes[Cause::no_key], 3U);
}

/// Each lock's key is at a server of its own: the other's end is no end of this one.
TEST(SeveralLocks, a_cause_is_of_its_own_lock) {
    Story story;
    story.about(0).wants(0).sets(0, "a", 100).granted(0, "a", 100);
    story.about(1).wants(0).at(1).sets(0, "b", 20, NodeId{1}).granted(0, "b", 20);
    story.about(1).wants(1).at(30).sets(1, "c", 100, NodeId{1}).granted(1, "c", 100);
    const History history = story.end(40);
    const Judgement found = judge(history);
    EXPECT_EQ(found.overlaps, 1U);
    EXPECT_EQ(found.causes[Cause::expired_while_held], 1U);
    EXPECT_TRUE(trespasses(history).empty());
}

TEST(SeveralLocks, a_foreign_delete_is_of_its_own_lock) {
    Story story;
    story.about(0).wants(0).sets(0, "a", 100).granted(0, "a", 100);
    story.about(1).wants(0).at(1).sets(0, "b", 100, NodeId{1}).granted(0, "b", 100);
    story.about(1).wants(1).at(2).deletes(1, Phase::acquire, NodeId{1});
    const std::vector<Trespass> found = trespasses(story.end(40));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].victim, ClientId{0});
    EXPECT_EQ(found[0].by, ClientId{1});
}

}  // namespace
}  // namespace locklab::several_locks_test
