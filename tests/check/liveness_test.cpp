#include "harness/check/liveness.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::liveness_test {
namespace {

using std::chrono::milliseconds;

/// Client 0 crashes inside at 10; client 1 wants the lock.
Story orphaned() { return Story().at(0).wants(0).wants(1).at(5).granted(0).at(10).crash(0); }

TEST(Liveness, rejects_waiting_for_a_holder_that_crashed) {
    const Liveness found = check_liveness(orphaned().end(105, 100));
    EXPECT_TRUE(found.stuck);
    EXPECT_EQ(found.waiting, std::vector<ClientId>{ClientId{1}});
}

TEST(Liveness, accepts_a_run_that_ends_before_patience_does) {
    EXPECT_FALSE(check_liveness(orphaned().end(104, 100)).stuck);
}

TEST(Liveness, accepts_where_patience_is_not_given) {
    EXPECT_FALSE(check_liveness(orphaned().end(100'000)).stuck);
}

TEST(Liveness, rejects_where_nobody_was_ever_granted) {
    EXPECT_TRUE(check_liveness(Story().at(0).wants(0).end(100, 100)).stuck);
}

TEST(Liveness, accepts_a_live_holder_however_long_it_stays) {
    const History history = Story().wants(0).wants(1).at(5).granted(0).end(1000, 100);
    EXPECT_FALSE(check_liveness(history).stuck);
}

TEST(Liveness, accepts_a_holder_that_is_still_releasing) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .at(1)
                                .granted(0)
                                .at(2)
                                .leaving(0)
                                .at(3)
                                .released(0)
                                .at(5)
                                .granted(1)
                                .wants(0)
                                .at(9)
                                .leaving(1)
                                .end(1000, 100);
    EXPECT_FALSE(check_liveness(history).stuck);
}

TEST(Liveness, rejects_after_a_release_that_did_not_free_the_lock) {
    const History history =
        Story().wants(0).wants(1).at(5).granted(0).at(9).leaving(0).at(10).released(0).end(1000,
                                                                                           100);
    EXPECT_TRUE(check_liveness(history).stuck);
}

TEST(Liveness, accepts_where_only_the_dead_want) {
    const History history = orphaned().at(11).crash(1).end(1000, 100);
    EXPECT_FALSE(check_liveness(history).stuck);
}

TEST(Liveness, accepts_where_all_are_done) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .at(5)
                                .granted(0)
                                .at(6)
                                .leaving(0)
                                .at(7)
                                .released(0)
                                .finished(0)
                                .finished(1)
                                .end(1000, 100);
    EXPECT_FALSE(check_liveness(history).stuck);
}

TEST(Liveness, rejects_in_a_foreign_history_without_releases) {
    const History history =
        Story("theirs").wants(0).wants(1).at(5).granted(0).at(9).leaving(0).end(1000, 100);
    EXPECT_TRUE(check_liveness(history).stuck);
}

TEST(Liveness, measures_the_orphan_wait_and_the_recovery) {
    const Liveness found =
        check_liveness(orphaned().at(20).wants(2).at(40).granted(1).end(50, 100));
    EXPECT_FALSE(found.stuck);
    EXPECT_EQ(found.longest_orphan_wait, milliseconds(30));
    EXPECT_EQ(found.recoveries, std::vector<Duration>{milliseconds(30)});
}

TEST(Liveness, an_orphan_wait_begins_when_somebody_wants) {
    const History history =
        Story().wants(0).at(5).granted(0).at(10).crash(0).at(30).wants(1).at(40).granted(1).end();
    const Liveness found = check_liveness(history);
    EXPECT_EQ(found.longest_orphan_wait, milliseconds(10));
    EXPECT_EQ(found.recoveries, std::vector<Duration>{milliseconds(30)});
}

TEST(Liveness, a_release_is_no_orphan_wait) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .at(0)
                                .granted(0)
                                .at(5)
                                .leaving(0)
                                .at(25)
                                .released(0)
                                .at(26)
                                .granted(1)
                                .end();
    EXPECT_EQ(check_liveness(history).longest_orphan_wait, milliseconds(1));
}

TEST(Liveness, a_crash_of_one_who_holds_nothing_needs_no_recovery) {
    const History history = Story().wants(0).wants(1).at(5).crash(0).at(9).granted(1).end();
    EXPECT_TRUE(check_liveness(history).recoveries.empty());
}

TEST(Liveness, rejects_waiting_for_a_holder_that_was_told_of_its_loss_and_tells_no_release) {
    Story story;
    story.wants(0).wants(1).at(5).granted(0).at(10).lost(0);
    EXPECT_TRUE(check_liveness(story.end(105, 100)).stuck);
}

}  // namespace
}  // namespace locklab::liveness_test
