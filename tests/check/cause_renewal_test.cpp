// Causes where somebody renews the key, or puts it back.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/check/cause_story.h"

namespace locklab::cause_renewal_test {
namespace {

TEST(CauseRenewal, a_renewed_lease_is_fresh_to_a_takeover) {
    const auto deleted = [](std::int64_t t) {
        return held()
            .at(50)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(t)
            .deletes(1, Phase::acquire)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(deleted(120)), Cause::foreign_delete);
    EXPECT_EQ(only_cause(deleted(150)), Cause::expired_while_held);
}

TEST(CauseRenewal, a_renewal_moves_the_deadline) {
    const auto renewed = [](std::int64_t taken) {
        return held()
            .at(50)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(taken)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(renewed(140)), Cause::unexplained);
    EXPECT_EQ(only_cause(renewed(151)), Cause::expired_while_held);
}

TEST(CauseRenewal, a_renewal_that_came_too_late_moves_nothing) {
    const History history =
        held()
            .at(101)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(0))
            .at(102)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseRenewal, foreign_renewal_that_gives_a_lasting_key_a_deadline) {
    const History history =
        Story()
            .wants(0)
            .wants(1)
            .wants(2)
            .ran(0, Phase::acquire, Command::of("SETNX", "k", "a"), Reply::integer(1))
            .granted(0, "a")
            .at(10)
            .ran(2, Phase::background, Command::of("PEXPIRE", "k", 20), Reply::integer(1))
            .at(31)
            .sets(1, "b", 100)
            .granted(1, "b")
            .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_renewal);
}

TEST(CauseRenewal, a_foreign_renewal_that_gave_more_time_is_not_to_blame) {
    const History history =
        held()
            .at(90)
            .ran(2, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(191)
            .sets(1, "b", 100)
            .granted(1, "b")
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseRenewal, foreign_renewal_after_its_own) {
    const History history =
        held()
            .at(50)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(60)
            .ran(2, Phase::background, Command::of("PEXPIRE", "k", 50), Reply::integer(1))
            .at(111)
            .sets(1, "b", 100)
            .granted(1, "b")
            .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_renewal);
}

TEST(CauseRenewal, revived_key) {
    const History history =
        Story()
            .wants(0)
            .wants(1)
            .wants(2)
            .sets(2, "z", 100)
            .granted(2, "z", 100)
            .at(5)
            .leaving(2)
            .deletes(2)
            .released(2)
            .at(6)
            .sets(0, "a", 100)
            .granted(0, "a", 100)
            .at(7)
            .ran(2, Phase::background, Command::of("SET", "k", "z", "PX", 20), Reply::ok())
            .at(28)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::revived_key);
}

TEST(CauseRenewal, revived_key_by_its_own_watchdog_of_a_round_before) {
    // All at one instant, as in a search: only the call tells in which round it was sent.
    const Command put = Command::of("SET", "k", "z", "PX", 20);
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(0, "z", 100)
                                .granted(0, "z", 100)
                                .sent(0, Phase::background, 9, put)
                                .leaving(0)
                                .deletes(0)
                                .released(0)
                                .wants(0)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .ran(0, Phase::background, put, Reply::ok(), 0, 9)
                                .at(120)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::revived_key);
}

TEST(CauseRenewal, revived_key_where_nobody_is_told_to_want) {
    const Command put = Command::of("SET", "k", "z", "PX", 20);
    const History history = Story("theirs")
                                .sets(0, "z", 100)
                                .granted(0, "z", 100)
                                .at(1)
                                .sent(0, Phase::background, 9, put)
                                .leaving(0)
                                .released(0)
                                .at(2)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .at(3)
                                .ran(0, Phase::background, put, Reply::ok(), 0, 9)
                                .at(120)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::revived_key);
}

TEST(CauseRenewal, a_key_that_gets_its_deadline_later_is_taken_before) {
    // SETNX and EXPIRE are two commands; in between the key changes hands.
    const History history =
        Story()
            .wants(0)
            .wants(1)
            .wants(2)
            .ran(0, Phase::acquire, Command::of("SETNX", "k", "a"), Reply::integer(1))
            .at(5)
            .deletes(2)
            .at(6)
            .ran(1, Phase::acquire, Command::of("SETNX", "k", "b"), Reply::integer(1))
            .granted(1)
            .at(7)
            .ran(0, Phase::acquire, Command::of("EXPIRE", "k", 10), Reply::integer(1))
            .granted(0)
            .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(CauseRenewal, a_holder_may_put_back_its_own_key) {
    const auto put_back = [](const char* when, std::int64_t taken) {
        return held()
            .at(105)
            .ran(0, Phase::background, Command::of("SET", "k", "a", when, "PX", 100), Reply::ok())
            .at(taken)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(put_back("XX", 206)), Cause::expired_while_held);
    EXPECT_EQ(only_cause(put_back("XX", 150)), Cause::unexplained);
    EXPECT_EQ(only_cause(put_back("NX", 206)), Cause::expired_while_held);
    EXPECT_EQ(only_cause(put_back("NX", 150)), Cause::unexplained);
}

}  // namespace
}  // namespace locklab::cause_renewal_test
