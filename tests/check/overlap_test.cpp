#include "harness/check/overlap.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "tests/check/story.h"

namespace locklab::overlap_test {
namespace {

std::vector<Overlap> overlaps_of(const History& history) { return overlaps(stays_inside(history)); }

TEST(Overlap, accepts_one_after_the_other) {
    const History history =
        Story().at(1).granted(0).at(5).leaving(0).at(6).granted(1).at(9).leaving(1).end();
    EXPECT_TRUE(overlaps_of(history).empty());
}

TEST(Overlap, accepts_leaving_and_grant_at_one_instant_in_this_order) {
    const History history = Story().at(1).granted(0).at(5).leaving(0).granted(1).leaving(1).end();
    EXPECT_TRUE(overlaps_of(history).empty());
}

TEST(Overlap, rejects_grant_and_leaving_at_one_instant_in_this_order) {
    const History history = Story().at(1).granted(0).at(5).granted(1).leaving(0).end(9);
    const auto found = overlaps_of(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].duration(), Duration::zero());
}

TEST(Overlap, rejects_stays_of_no_length_at_one_instant) {
    const History history = Story().at(5).granted(0).granted(1).leaving(1).leaving(0).end(9);
    EXPECT_EQ(overlaps_of(history).size(), 1U);
}

/// In somebody else's history the lines of one instant may stand in any order.
TEST(Overlap, accepts_stays_that_touch_where_the_order_of_an_instant_is_unknown) {
    const auto found = [](const History& history) {
        return overlaps(stays_inside(history), false).size();
    };
    EXPECT_EQ(found(Story().at(1).granted(0).at(5).granted(1).leaving(0).end(9)), 0U);
    EXPECT_EQ(found(Story().at(5).granted(0).granted(1).leaving(1).leaving(0).end(9)), 0U);
    EXPECT_EQ(found(Story().at(1).granted(0).at(5).granted(1).at(6).leaving(0).end(9)), 1U);
}

TEST(Overlap, rejects_a_stay_of_no_length_in_the_midst_of_another_in_any_order) {
    const History history =
        Story().at(1).granted(0).at(5).granted(1).leaving(1).at(9).leaving(0).end();
    EXPECT_EQ(overlaps(stays_inside(history), false).size(), 1U);
}

TEST(Overlap, only_our_own_worlds_order_the_events_of_an_instant) {
    const auto verdict = [](const char* world) {
        return judge(Story(world).at(1).granted(0).at(5).granted(1).leaving(0).end(9)).verdict;
    };
    EXPECT_EQ(verdict("sim"), Verdict::violated);
    EXPECT_EQ(verdict("live"), Verdict::violated);
    EXPECT_EQ(verdict("theirs"), Verdict::holds);
}

TEST(Overlap, rejects_two_inside_and_says_who_and_how_long) {
    const History history =
        Story().at(1).granted(0).at(4).granted(1).at(7).leaving(0).at(9).leaving(1).end();
    const auto found = overlaps_of(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].earlier.grant, 1U);
    EXPECT_EQ(found[0].later.grant, 2U);
    EXPECT_EQ(found[0].earlier.client, ClientId{0});
    EXPECT_EQ(found[0].later.client, ClientId{1});
    EXPECT_EQ(found[0].from(), ms(4));
    EXPECT_EQ(found[0].until(), ms(7));
    EXPECT_EQ(found[0].duration(), std::chrono::milliseconds(3));
}

TEST(Overlap, rejects_one_within_another) {
    const History history =
        Story().at(1).granted(0).at(4).granted(1).at(7).leaving(1).at(9).leaving(0).end();
    const auto found = overlaps_of(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].until(), ms(7));
}

TEST(Overlap, rejects_every_pair_of_three) {
    const History history = Story().at(1).granted(0).granted(1).granted(2).end(9);
    EXPECT_EQ(overlaps_of(history).size(), 3U);
    EXPECT_EQ(find_overlaps(stays_inside(history), true).grants, 3U);
}

TEST(Overlap, counts_each_affected_grant_once) {
    const History history = Story()
                                .at(1)
                                .granted(0)
                                .at(2)
                                .granted(1)
                                .at(3)
                                .leaving(1)
                                .at(4)
                                .granted(1)
                                .at(5)
                                .leaving(1)
                                .at(6)
                                .leaving(0)
                                .at(7)
                                .granted(1)
                                .at(8)
                                .leaving(1)
                                .end();
    EXPECT_EQ(overlaps_of(history).size(), 2U);
    EXPECT_EQ(find_overlaps(stays_inside(history), true).grants, 3U);
}

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

TEST(Overlap, accepts_a_grant_after_the_holder_was_told_of_its_loss) {
    const History history = Story().at(1).granted(0).at(5).lost(0).at(6).granted(1).end(9);
    EXPECT_TRUE(overlaps_of(history).empty());
}

TEST(Overlap, rejects_a_grant_before_the_holder_was_told_of_its_loss) {
    const History history = Story().at(1).granted(0).at(5).granted(1).at(6).lost(0).end(9);
    const auto found = overlaps_of(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].until(), ms(6));
}

TEST(Overlap, accepts_a_grant_after_the_holder_crashed) {
    const History history = Story().at(1).granted(0).at(5).crash(0).at(6).granted(1).end(9);
    EXPECT_TRUE(overlaps_of(history).empty());
}

TEST(Overlap, rejects_a_grant_after_a_stranger_crashed) {
    const History history = Story().at(1).granted(0).at(5).crash(2).at(6).granted(1).end(9);
    EXPECT_EQ(overlaps_of(history).size(), 1U);
}

TEST(Overlap, rejects_a_grant_while_the_holder_is_paused) {
    const History history =
        Story().at(1).granted(0).at(5).fault(0, Hazard::pause, 9).at(6).granted(1).end(9);
    EXPECT_EQ(overlaps_of(history).size(), 1U);
}

TEST(Overlap, rejects_a_grant_while_one_is_inside_to_the_end) {
    const History history = Story().at(1).granted(0).at(5).granted(1).end(20);
    const auto found = overlaps_of(history);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].until(), ms(20));
}

TEST(Overlap, accepts_a_release_whose_leaving_is_not_told) {
    const History history =
        Story("theirs").at(1).granted(0).at(5).released(0).at(6).granted(1).end(9);
    EXPECT_TRUE(overlaps_of(history).empty());
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

TEST(Overlap, a_late_loss_does_not_end_the_next_stay) {
    const History history = Story()
                                .at(1)
                                .granted(0)
                                .at(2)
                                .leaving(0)
                                .at(3)
                                .lost(0)
                                .at(4)
                                .granted(0)
                                .at(5)
                                .granted(1)
                                .end(9);
    EXPECT_EQ(overlaps_of(history).size(), 1U);
}

}  // namespace
}  // namespace locklab::overlap_test
