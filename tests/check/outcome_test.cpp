#include "harness/check/outcome.h"

#include <gtest/gtest.h>

#include "harness/check/trespass.h"
#include "tests/check/story.h"

namespace locklab::outcome_test {
namespace {

TEST(Trespass, says_what_was_done_and_whether_its_victim_was_leaving) {
    Story story;
    story.wants(0).sets(0, "a", 100).granted(0, "a", 100).at(5);
    story.ran(1, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1));
    story.leaving(0).deletes(1).released(0);
    const std::vector<Trespass> found = trespasses(story.end(10));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].did, KeyEffect::Kind::extended);
    EXPECT_FALSE(found[0].leaving);
    EXPECT_EQ(found[1].did, KeyEffect::Kind::deleted);
    EXPECT_TRUE(found[1].leaving);
    for (const Trespass& trespass : found) {
        EXPECT_EQ(trespass.victim, ClientId{0});
        EXPECT_EQ(trespass.by, ClientId{1});
    }
}

TEST(Trespass, who_takes_the_lock_again_is_not_leaving) {
    Story story;
    story.wants(0).sets(0, "a", 100).granted(0, "a", 100).at(5).leaving(0).deletes(0).released(0);
    story.at(6).wants(0).sets(0, "b", 100).deletes(1).granted(0, "b", 100);
    const std::vector<Trespass> found = trespasses(story.end(10));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].victim, ClientId{0});
    EXPECT_FALSE(found[0].leaving);
}

TEST(Outcome, is_told_in_one_order) {
    Outcome outcome;
    const ClientId a{0};
    const ClientId b{1};
    const ClientId c{2};
    outcome.lost_updates = {{a, c}};
    outcome.extended = {{b, a}};
    outcome.deleted = {{a, b}, {c, b}};
    outcome.kept_out = {c};
    outcome.stuck = {{a, StuckKind::until_ttl}, {b, StuckKind::for_ever}};
    outcome.inside_together = {{b, c}};
    EXPECT_EQ(
        in_words(outcome, std::vector<std::string>{"A", "B", "C"}),
        "B and C inside together; A stuck until the TTL; B stuck for ever; C kept out; A's "
        "key deleted by B; C's key deleted by B; B's key extended by A; A's update lost to C");
    EXPECT_FALSE(is_harmless(outcome));
}

}  // namespace
}  // namespace locklab::outcome_test
