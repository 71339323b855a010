#include "harness/check/lost_update.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::lost_update_test {
namespace {

TEST(LostUpdate, accepts_writes_that_build_on_each_other) {
    const History history = Story().wrote(0, 1, 0, 0, 1).wrote(1, 2, 1, 1, 2).end();
    EXPECT_TRUE(lost_updates(history).empty());
}

TEST(LostUpdate, rejects_a_write_over_one_that_it_had_not_read) {
    const History history = Story().wrote(0, 1, 0, 0, 1).wrote(1, 2, 0, 1, 2).end();
    const auto found = lost_updates(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].event, 1U);
    EXPECT_EQ(found[0].grant, 2U);
    EXPECT_EQ(found[0].victim, 1U);
}

TEST(LostUpdate, rejects_a_write_whose_base_lies_ahead) {
    const History history = Story().wrote(0, 1, 0, 0, 1).wrote(1, 2, 3, 1, 2).end();
    EXPECT_EQ(lost_updates(history).size(), 1U);
}

TEST(WriteCount, loses_nothing_where_writes_build_on_each_other) {
    const History history = Story().wrote(0, 1, 0, 0, 1).wrote(1, 2, 1, 1, 2).end();
    EXPECT_EQ(count_writes(history).writes, 2U);
    EXPECT_EQ(count_writes(history).erased, 0U);
    EXPECT_EQ(count_writes(Story().end()).writes, 0U);
}

TEST(WriteCount, a_stale_write_erases_all_since_its_read) {
    // 1 reads nothing and is paused; 2, 3 and 4 are written one on the other; then 1 writes, and 6
    // builds on that: of 2, 3 and 4 nothing is left, though only one update was lost by a write.
    const History history = Story()
                                .wrote(0, 2, 0, 0, 1)
                                .wrote(0, 3, 1, 1, 2)
                                .wrote(0, 4, 2, 2, 3)
                                .wrote(1, 1, 0, 3, 4)
                                .wrote(0, 6, 4, 4, 5)
                                .end();
    EXPECT_EQ(lost_updates(history).size(), 1U);
    EXPECT_EQ(count_writes(history).writes, 5U);
    EXPECT_EQ(count_writes(history).erased, 3U);
}

TEST(WriteCount, what_a_stale_write_had_read_is_not_lost) {
    const History history =
        Story().wrote(0, 1, 0, 0, 1).wrote(0, 2, 1, 1, 2).wrote(1, 3, 1, 2, 3).end();
    EXPECT_EQ(count_writes(history).erased, 1U);
}

}  // namespace
}  // namespace locklab::lost_update_test
