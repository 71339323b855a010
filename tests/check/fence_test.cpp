#include "harness/check/fence.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::fence_test {
namespace {

TEST(Fence, accepts_grants_that_write_in_order) {
    const History history = Story().wrote(0, 1, 0, 0, 1).wrote(1, 3, 1, 1, 2).end();
    EXPECT_TRUE(fence_inversions(history).empty());
}

TEST(Fence, accepts_a_grant_that_writes_twice) {
    const History history = Story().wrote(0, 2, 0, 0, 1).wrote(0, 2, 1, 1, 2).end();
    EXPECT_TRUE(fence_inversions(history).empty());
}

TEST(Fence, rejects_an_older_grant_after_a_newer) {
    const History history =
        Story().wrote(1, 2, 0, 0, 1).wrote(1, 3, 1, 1, 2).wrote(0, 1, 2, 2, 3).end();
    const auto found = fence_inversions(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].event, 2U);
    EXPECT_EQ(found[0].grant, 1U);
    EXPECT_EQ(found[0].highest, 3U);
}

TEST(Fence, rejects_every_older_grant_after_the_newest) {
    const History history =
        Story().wrote(2, 3, 0, 0, 1).wrote(0, 1, 1, 1, 2).wrote(1, 2, 2, 2, 3).end();
    EXPECT_EQ(fence_inversions(history).size(), 2U);
}

TEST(Fence, goes_by_the_tokens_where_there_are_some) {
    // The first to take the lock was told last.
    const History history =
        Story().fenced(1, 8).fenced(0, 7).wrote(0, 2, 0, 0, 1).wrote(1, 1, 1, 1, 2).end();
    EXPECT_TRUE(fence_inversions(history).empty());
    const History inverted =
        Story().fenced(1, 8).fenced(0, 7).wrote(1, 1, 0, 0, 1).wrote(0, 2, 1, 1, 2).end();
    EXPECT_EQ(fence_inversions(inverted).size(), 1U);
    const History equal =
        Story().fenced(1, 8).fenced(0, 8).wrote(0, 2, 0, 0, 1).wrote(1, 1, 1, 1, 2).end();
    EXPECT_EQ(fence_inversions(equal).size(), 1U);
}

}  // namespace
}  // namespace locklab::fence_test
