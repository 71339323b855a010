#include "harness/check/lost_update.h"

#include <gtest/gtest.h>

#include "tests/story.h"

namespace locklab {
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

}  // namespace
}  // namespace locklab
