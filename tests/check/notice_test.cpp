// How long a holder works without a lock before it learns of the loss. Times are in ms; a lock
// that renews promises 40 here.
#include "harness/check/notice.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "tests/check/cause_story.h"

namespace locklab::notice_test {
namespace {

Story renewed() { return held().tells_within(40); }

std::string seen(const History& history) {
    const Notices found = judge(history).notices;
    return std::to_string(found.losses) + " lost, " + std::to_string(found.told) + " told, " +
           std::to_string(found.late) + " late, " + std::to_string(us(found.longest) / 1000) +
           " ms";
}

TEST(Notice, accepts_a_holder_that_leaves_with_its_key) {
    EXPECT_EQ(seen(renewed().at(99).leaving(0).end()), "0 lost, 0 told, 0 late, 0 ms");
}

TEST(Notice, accepts_who_is_told_in_time) {
    EXPECT_EQ(seen(renewed().at(140).lost(0).end()), "1 lost, 1 told, 0 late, 40 ms");
}

TEST(Notice, rejects_who_is_told_late) {
    EXPECT_EQ(seen(renewed().at(141).lost(0).end()), "1 lost, 1 told, 1 late, 41 ms");
}

TEST(Notice, leaving_ends_the_danger_and_is_no_notice) {
    EXPECT_EQ(seen(renewed().at(140).leaving(0).end()), "1 lost, 0 told, 0 late, 40 ms");
    EXPECT_EQ(seen(renewed().at(150).leaving(0).end()), "1 lost, 0 told, 1 late, 50 ms");
}

TEST(Notice, rejects_who_is_never_told) {
    EXPECT_EQ(seen(renewed().at(90).end(200)), "1 lost, 0 told, 1 late, 100 ms");
    EXPECT_EQ(judge(renewed().at(90).end(200)).notices.never_told, 1U);
}

TEST(Notice, a_lock_that_promises_nothing_is_never_late) {
    EXPECT_EQ(seen(held().at(500).leaving(0).end()), "1 lost, 0 told, 0 late, 400 ms");
}

TEST(Notice, counts_from_whatever_took_the_key) {
    EXPECT_EQ(seen(renewed().at(50).deletes(1).at(60).lost(0).end()),
              "1 lost, 1 told, 0 late, 10 ms");
    EXPECT_EQ(seen(renewed()
                       .at(50)
                       .ran(1, Phase::acquire, Command::of("SETEX", "k", 9, "b"), Reply::ok())
                       .at(70)
                       .lost(0)
                       .end()),
              "1 lost, 1 told, 0 late, 20 ms");
    for (const Hazard hazard : {Hazard::evict, Hazard::restart}) {
        EXPECT_EQ(seen(renewed().at(50).fault(1, hazard).at(95).lost(0).end()),
                  "1 lost, 1 told, 1 late, 45 ms");
    }
}

TEST(Notice, a_key_that_is_renewed_is_not_lost) {
    EXPECT_EQ(
        seen(renewed()
                 .at(90)
                 .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
                 .at(180)
                 .leaving(0)
                 .end()),
        "0 lost, 0 told, 0 late, 0 ms");
}

/// The first renewal renewed the key of another: that gives nothing back.
TEST(Notice, a_renewal_of_anothers_key_gives_nothing_back) {
    EXPECT_EQ(
        seen(renewed()
                 .at(50)
                 .ran(1, Phase::acquire, Command::of("SETEX", "k", 9, "b"), Reply::ok())
                 .at(60)
                 .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
                 .at(100)
                 .leaving(0)
                 .end()),
        "1 lost, 0 told, 1 late, 50 ms");
}

TEST(Notice, a_holder_that_puts_its_key_back_has_it_again) {
    EXPECT_EQ(seen(renewed()
                       .at(105)
                       .ran(0, Phase::background, Command::of("SET", "k", "a", "NX", "PX", 100),
                            Reply::ok())
                       .at(200)
                       .leaving(0)
                       .end()),
              "0 lost, 0 told, 0 late, 0 ms");
}

TEST(Notice, the_dead_need_no_notice) {
    EXPECT_EQ(seen(renewed().at(190).crash(0).end(300)), "0 lost, 0 told, 0 late, 0 ms");
}

TEST(Notice, what_stops_a_client_excuses_it) {
    for (const Hazard hazard : {Hazard::pause, Hazard::stall}) {
        EXPECT_EQ(seen(renewed().at(90).fault(0, hazard, 60).at(190).lost(0).end()),
                  "1 lost, 1 told, 0 late, 90 ms");
        EXPECT_EQ(seen(renewed().at(90).fault(0, hazard, 60).at(191).lost(0).end()),
                  "1 lost, 1 told, 1 late, 91 ms");
        EXPECT_EQ(seen(renewed().at(90).fault(1, hazard, 60).at(190).lost(0).end()),
                  "1 lost, 1 told, 1 late, 90 ms");
    }
    // Two that overlap count once.
    EXPECT_EQ(seen(renewed()
                       .at(90)
                       .fault(0, Hazard::pause, 60)
                       .at(100)
                       .fault(0, Hazard::stall, 50)
                       .at(191)
                       .lost(0)
                       .end()),
              "1 lost, 1 told, 1 late, 91 ms");
}

TEST(Notice, a_renewal_without_an_answer_excuses_it) {
    const auto told = [](Reply reply) {
        return renewed()
            .at(110)
            .sent(0, Phase::background, 3, Command::of("PEXPIRE", "k", 100))
            .at(130)
            .replied(0, 3, std::move(reply))
            .at(155)
            .lost(0)
            .end();
    };
    EXPECT_EQ(seen(told(Reply::unknown())), "1 lost, 1 told, 0 late, 55 ms");
    EXPECT_EQ(seen(told(Reply::integer(0))), "1 lost, 1 told, 1 late, 55 ms");
}

TEST(Notice, a_lock_that_is_taken_again_is_the_same_lock) {
    Story story = renewed();
    story.at(50).note(0, Phase::inside, event::Wants{true}).granted(0, "a", 100);
    EXPECT_EQ(seen(story.at(141).lost(0).end()), "1 lost, 1 told, 1 late, 41 ms");
}

}  // namespace
}  // namespace locklab::notice_test
