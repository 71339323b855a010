// What came of a play, on histories written by hand: everything that an expectation can speak of
// is seen where it is, and not where it is not.

#include "harness/check/outcome.h"

#include <gtest/gtest.h>

#include "harness/check/trespass.h"
#include "tests/check/story.h"

namespace locklab::outcome_test {
namespace {

constexpr Duration kTtl = std::chrono::milliseconds(100);
constexpr std::int64_t kPatience = 1000;

const std::vector<std::string> kNames = {"A", "B", "C"};

std::string seen(const History& history) { return in_words(outcome_of(history, kTtl), kNames); }

/// A has the key, by a command, and is inside.
Story held() { return Story().at(0).wants(0).sets(0, "a", 100).granted(0, "a", 100); }

/// ...and B came in beside it.
Story shared() { return held().at(110).wants(1).sets(1, "b", 100).granted(1, "b", 100); }

Story& expires(Story& story, std::uint32_t c, Reply reply) {
    return story.ran(c, Phase::background, Command::of("PEXPIRE", "k", 100), std::move(reply));
}

TEST(Outcome, accepts_a_round_in_which_nothing_goes_wrong) {
    const History history =
        held().at(9).leaving(0).deletes(0).released(0).at(10).finished(0).end(20, kPatience);
    EXPECT_EQ(outcome_of(history, kTtl), Outcome());
    EXPECT_TRUE(is_harmless(outcome_of(history, kTtl)));
    EXPECT_EQ(seen(history), "nothing goes wrong");
}

TEST(Outcome, rejects_two_inside_and_names_the_earlier_first) {
    EXPECT_EQ(seen(shared().end(120)), "A and B inside together");
    const History other = Story()
                              .wants(1)
                              .sets(1, "b", 100)
                              .granted(1, "b", 100)
                              .at(110)
                              .wants(0)
                              .sets(0, "a", 100)
                              .granted(0, "a", 100)
                              .end(120);
    EXPECT_EQ(seen(other), "B and A inside together");
}

TEST(Outcome, accepts_one_inside_after_the_other) {
    const History history = held()
                                .at(9)
                                .leaving(0)
                                .deletes(0)
                                .released(0)
                                .wants(1)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end(20);
    EXPECT_EQ(seen(history), "nothing goes wrong");
}

TEST(Outcome, rejects_a_pair_once_however_often) {
    Story story = shared();
    story.at(120).leaving(1).released(1).wants(1).sets(1, "c", 100).granted(1, "c", 100);
    const Outcome outcome = outcome_of(story.end(130), kTtl);
    EXPECT_EQ(outcome.inside_together, (std::vector<Deed>{{ClientId{0}, ClientId{1}}}));
}

TEST(Outcome, rejects_a_write_that_destroys_another) {
    // A read 0, B wrote 1 meanwhile, and A writes 2 over it.
    const History history =
        shared().at(111).wrote(1, 2, 0, 0, 1).at(112).wrote(0, 1, 0, 1, 2).end(120);
    EXPECT_EQ(seen(history), "A and B inside together; B's update lost to A");
}

TEST(Outcome, accepts_a_write_over_what_was_read) {
    const History history =
        shared().at(111).wrote(1, 2, 0, 0, 1).at(112).wrote(0, 1, 1, 1, 2).end(120);
    EXPECT_EQ(seen(history), "A and B inside together");
}

TEST(Outcome, rejects_a_key_deleted_by_a_stranger) {
    EXPECT_EQ(seen(held().at(5).deletes(1).end(10)), "A's key deleted by B");
}

TEST(Outcome, rejects_a_key_deleted_while_its_owner_is_on_its_way_out) {
    EXPECT_EQ(seen(held().at(5).leaving(0).deletes(1).released(0).end(10)), "A's key deleted by B");
}

TEST(Outcome, rejects_a_release_that_arrives_in_a_later_round_of_its_own_client) {
    // Sent in the first round and executed in the second: a stranger's, though it is A's.
    const History history =
        held()
            .at(5)
            .leaving(0)
            .sent(0, Phase::release, 7, Command::of("DEL", "k"))
            .at(120)
            .released(0)
            .wants(0)
            .sets(0, "b", 100)
            .granted(0, "b", 100)
            .at(130)
            .ran(0, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 125, 7)
            .end(140);
    EXPECT_EQ(seen(history), "A's key deleted by A");
}

Story& again(Story& story) {
    return story.at(5).note(0, Phase::inside, event::Wants{true}).granted(0, "a", 100).at(6);
}

/// It takes the lock twice, and counts that by itself.
TEST(Outcome, accepts_a_lock_that_its_client_counts) {
    Story story = held();
    EXPECT_EQ(seen(again(story).leaving(0).deletes(0).released(0).end(10)), "nothing goes wrong");
}

TEST(Outcome, accepts_a_lock_that_is_counted_in_its_key) {
    const auto counted = [](std::int64_t by) { return Command::of("HINCRBY", "k", "a", by); };
    const auto ran = [&](Story& story, Phase phase, std::int64_t by, std::int64_t now) {
        story.ran(0, phase, counted(by), Reply::integer(now));
    };
    Story story;
    story.wants(0);
    ran(story, Phase::acquire, 1, 1);
    story.granted(0, "a").at(5).note(0, Phase::inside, event::Wants{true});
    ran(story, Phase::acquire, 1, 2);
    story.granted(0, "a").at(6);
    ran(story, Phase::inside, -1, 1);
    EXPECT_EQ(seen(story.leaving(0).deletes(0).released(0).end(10)), "nothing goes wrong");
}

TEST(Outcome, rejects_what_a_stranger_does_to_a_lock_that_was_taken_twice) {
    Story story = held();
    EXPECT_EQ(seen(again(story).deletes(1).at(7).leaving(0).end(10)), "A's key deleted by B");
}

TEST(Outcome, accepts_deleting_what_is_nobodys) {
    EXPECT_EQ(seen(held().at(5).crash(0).deletes(1).end(10)), "nothing goes wrong");
    EXPECT_EQ(seen(held().at(5).leaving(0).released(0).deletes(1).end(10)), "nothing goes wrong");
    EXPECT_EQ(seen(held().at(5).lost(0).deletes(1).end(10)), "nothing goes wrong");
}

TEST(Outcome, accepts_a_delete_that_found_nothing) {
    const History history =
        held().at(5).ran(1, Phase::release, Command::of("DEL", "k"), Reply::integer(0)).end(10);
    EXPECT_EQ(seen(history), "nothing goes wrong");
}

TEST(Outcome, accepts_deleting_a_key_that_was_deleted_before) {
    EXPECT_EQ(seen(held().at(5).deletes(1).at(6).deletes(2).end(10)), "A's key deleted by B");
}

TEST(Outcome, rejects_a_key_extended_by_a_stranger_and_accepts_its_owner) {
    Story own = held().at(5);
    EXPECT_EQ(seen(expires(own, 0, Reply::integer(1)).end(10)), "nothing goes wrong");
    Story foreign = held().at(5);
    EXPECT_EQ(seen(expires(foreign, 1, Reply::integer(1)).end(10)), "A's key extended by B");
    Story in_vain = held().at(5);
    EXPECT_EQ(seen(expires(in_vain, 1, Reply::integer(0)).end(10)), "nothing goes wrong");
}

TEST(Outcome, rejects_waiting_for_half_a_ttl_and_accepts_less) {
    const auto waited = [](std::int64_t t) {
        return held()
            .at(10)
            .crash(0)
            .wants(1)
            .at(10 + t)
            .refused(1)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end(200, kPatience);
    };
    EXPECT_EQ(seen(waited(49)), "nothing goes wrong");
    EXPECT_EQ(seen(waited(50)), "B stuck until the TTL");
}

TEST(Outcome, rejects_waiting_for_ever_and_does_not_call_it_kept_out) {
    const Story story = held().at(10).crash(0).wants(1).wants(2);
    EXPECT_EQ(seen(Story(story).end(kPatience, kPatience)), "B stuck for ever; C stuck for ever");
    EXPECT_EQ(seen(Story(story).end(kPatience - 1, kPatience)), "B kept out; C kept out");
}

TEST(Outcome, rejects_who_never_got_it_beside_a_live_holder) {
    EXPECT_EQ(seen(held().at(5).wants(1).end(10, kPatience)), "B kept out");
    EXPECT_EQ(seen(held().at(5).wants(1).at(6).finished(1).end(10, kPatience)), "B kept out");
}

TEST(Outcome, accepts_who_died_waiting_and_who_never_wanted) {
    EXPECT_EQ(seen(held().at(5).wants(1).at(6).crash(1).end(10, kPatience)), "nothing goes wrong");
    EXPECT_EQ(seen(held().at(5).end(10, kPatience)), "nothing goes wrong");
}

/// Each has the key of one of two servers, and gives it back.
TEST(Outcome, accepts_the_keys_of_two_owners_at_two_servers) {
    const NodeId second{1};
    Story story = held();
    story.wants(1).sets(1, "b", 100, second).granted(1, "b", 100).at(5);
    story.leaving(0).deletes(0).released(0).leaving(1).deletes(1, Phase::release, second);
    EXPECT_EQ(seen(story.released(1).end(10)), "A and B inside together");
}

TEST(Trespass, says_what_was_done_and_whether_its_victim_was_leaving) {
    Story story = held();
    expires(story.at(5), 1, Reply::integer(1)).leaving(0).deletes(1).released(0);
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
        in_words(outcome, kNames),
        "B and C inside together; A stuck until the TTL; B stuck for ever; C kept out; A's "
        "key deleted by B; C's key deleted by B; B's key extended by A; A's update lost to C");
    EXPECT_FALSE(is_harmless(outcome));
}

}  // namespace
}  // namespace locklab::outcome_test
