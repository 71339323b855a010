// Histories of others tell of a release in one form or another: when its client left, when its
// release was over, or both.
#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "tests/check/story.h"

namespace locklab {
namespace {

/// Client 0 has the lock until its DEL ran, at 50 ms. That is all that is told of its release, but
/// that it was over at 60 ms.
Story released() {
    Story story("theirs");
    story.wants(0).wants(1).sets(0, "a", 100).granted(0, "a", 100).at(50);
    return story.ran(0, Phase::idle, Command::of("DEL", "k"), Reply::integer(1), 2);
}

TEST(Forms, accepts_a_release_of_which_only_the_end_is_told) {
    const Judgement judgement = judge(released().at(60).released(0).end());
    EXPECT_EQ(judgement.notices.losses, 0U);
}

/// The next holder came after the DEL, and before anybody said that it was over.
TEST(Forms, accepts_who_comes_before_that_end_is_told) {
    Story story = released();
    story.at(55).sets(1, "b", 100).granted(1, "b", 100);
    const Judgement judgement = judge(story.at(60).released(0).end());
    EXPECT_EQ(judgement.overlaps, 0U);
    EXPECT_EQ(judgement.notices.losses, 0U);
}

TEST(Forms, rejects_who_comes_before_the_release_was_sent) {
    Story story("theirs");
    story.wants(0).wants(1).sets(0, "a", 100).granted(0, "a", 100);
    story.at(10).sets(1, "b", 100).granted(1, "b", 100);
    story.at(50).ran(0, Phase::idle, Command::of("DEL", "k"), Reply::integer(1), 2);
    EXPECT_EQ(judge(story.at(60).released(0).end()).overlaps, 1U);
}

TEST(Forms, rejects_a_key_that_another_deleted) {
    Story story("theirs");
    story.wants(0).wants(1).sets(0, "a", 100).granted(0, "a", 100);
    story.at(10).ran(1, Phase::idle, Command::of("DEL", "k"), Reply::integer(1));
    EXPECT_EQ(judge(story.at(60).released(0).end()).notices.losses, 1U);
}

/// Client 0 tells when it leaves and no more; client 1 tells the end of its release too.
TEST(Forms, each_client_has_a_form_of_its_own) {
    Story story("theirs");
    story.wants(0).granted(0).at(10).leaving(0).at(30).wants(1).at(41).granted(1);
    const Judgement judgement = judge(story.at(50).leaving(1).at(51).released(1).end());
    EXPECT_EQ(judgement.liveness.longest_orphan_wait, std::chrono::milliseconds(11));
}

TEST(Forms, who_tells_releases_holds_until_then) {
    Story story("theirs");
    story.wants(0).granted(0).at(1).leaving(0).at(2).released(0).wants(0).at(3).granted(0);
    story.at(10).leaving(0).wants(1).at(20).released(0).at(21).granted(1);
    EXPECT_EQ(judge(story.end()).liveness.longest_orphan_wait, std::chrono::milliseconds(1));
}

}  // namespace
}  // namespace locklab
