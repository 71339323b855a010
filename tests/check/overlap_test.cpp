#include "harness/check/overlap.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::overlap_test {
namespace {

std::vector<Overlap> overlaps_of(const History& history) { return overlaps(stays_inside(history)); }

TEST(Overlap, lists_the_first_and_counts_all) {
    Story story;
    for (std::uint32_t client = 0; client < 10; ++client) story.at(client + 1).granted(client);
    const std::vector<Inside> stays = stays_inside(story.end(99));
    for (const bool in_order : {true, false}) {
        const Overlaps all = find_overlaps(stays, in_order);
        EXPECT_EQ(all.count, 45U);
        EXPECT_EQ(all.listed.size(), 45U);
        EXPECT_GT(all.listed_before, stays.back().end);
        // The fifth client overlaps with four, and the last of these is one too many.
        const Overlaps some = find_overlaps(stays, in_order, 9);
        EXPECT_EQ(some.count, 45U);
        EXPECT_EQ(some.grants, 10U);
        ASSERT_EQ(some.listed.size(), 9U);
        EXPECT_EQ(some.listed.back().later.grant, 5U);
        EXPECT_EQ(some.listed_before, stays[4].begin);
    }
}

TEST(Overlap, a_client_never_overlaps_with_itself) {
    const History history = Story("theirs").at(1).granted(0).at(2).granted(0).end(9);
    EXPECT_TRUE(overlaps_of(history).empty());
}

TEST(Overlap, without_an_end_a_history_ends_with_its_last_event) {
    History history = Story().at(1).granted(0).at(5).granted(1).at(8).wants(2).end();
    history.end = Instant();
    const auto found = overlaps_of(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].duration(), std::chrono::milliseconds(3));
}

}  // namespace
}  // namespace locklab::overlap_test
