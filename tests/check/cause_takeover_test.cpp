// Causes where the key says its own deadline, and whoever finds it past takes the key over.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/check/cause_story.h"

namespace locklab::cause_takeover_test {
namespace {

Command setnx(std::int64_t deadline) { return Command::of("SETNX", "k", deadline); }
Command getset(std::int64_t deadline) { return Command::of("GETSET", "k", deadline); }

/// Client 0 holds a key that says when it expires, and that the server never expires.
Story stamped() {
    Story story;
    story.wants(0).wants(1).wants(2);
    story.ran(0, Phase::acquire, setnx(100), Reply::integer(1)).granted(0, "100", 100);
    return story;
}

TEST(CauseTakeover, a_deadline_counts_from_when_it_was_sent) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .at(30)
                                .ran(0, Phase::acquire, setnx(100), Reply::integer(1), 30)
                                .granted(0, "100", 100)
                                .at(105)
                                .ran(1, Phase::acquire, getset(205), Reply::bulk("100"))
                                .granted(1, "205", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseTakeover, a_key_overwritten_after_a_restart_was_not_lost) {
    const History history = stamped()
                                .at(20)
                                .fault(2, Hazard::restart_snapshot)
                                .at(30)
                                .ran(2, Phase::acquire, getset(40), Reply::bulk("100"))
                                .at(50)
                                .ran(1, Phase::acquire, getset(150), Reply::bulk("40"))
                                .granted(1, "150", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_renewal);
}

TEST(CauseTakeover, foreign_delete_of_a_fresh_key_in_a_takeover) {
    // SETNX, "Handling deadlocks": both read the crashed client's deadline, both DEL and SETNX.
    const History history = Story()
                                .wants(1)
                                .wants(2)
                                .at(500)
                                .deletes(1, Phase::acquire)
                                .ran(1, Phase::acquire, setnx(600), Reply::integer(1))
                                .granted(1, "600", 100)
                                .at(501)
                                .deletes(2, Phase::acquire)
                                .ran(2, Phase::acquire, setnx(601), Reply::integer(1))
                                .granted(2, "601", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(CauseTakeover, expired_while_held_where_the_takeover_deletes_an_old_key) {
    const History history = stamped()
                                .at(101)
                                .deletes(1, Phase::acquire)
                                .ran(1, Phase::acquire, setnx(201), Reply::integer(1))
                                .granted(1, "201", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseTakeover, expired_while_held_where_the_takeover_replaces_an_old_key) {
    const History history = stamped()
                                .at(101)
                                .ran(1, Phase::acquire, getset(201), Reply::bulk("100"))
                                .granted(1, "201", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseTakeover, clock_of_the_client_that_took_over) {
    for (const Hazard hazard : {Hazard::clock_offset, Hazard::clock_jump}) {
        const History history = stamped()
                                    .at(40)
                                    .fault(1, hazard, 70)
                                    .at(50)
                                    .deletes(1, Phase::acquire)
                                    .ran(1, Phase::acquire, setnx(220), Reply::integer(1))
                                    .granted(1, "220", 100)
                                    .end();
        EXPECT_EQ(only_cause(history), Cause::clock) << name_of(hazard);
    }
}

TEST(CauseTakeover, clock_of_the_holder) {
    const History history = stamped()
                                .at(1)
                                .fault(0, Hazard::clock_offset, -60)
                                .at(50)
                                .ran(1, Phase::acquire, getset(150), Reply::bulk("40"))
                                .granted(1, "150", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::clock);
}

TEST(CauseTakeover, not_a_clock_that_jumps_afterwards) {
    const History history = stamped()
                                .at(50)
                                .deletes(1, Phase::acquire)
                                .ran(1, Phase::acquire, setnx(150), Reply::integer(1))
                                .granted(1, "150", 100)
                                .at(51)
                                .fault(1, Hazard::clock_jump, 70)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(CauseTakeover, of_the_first_takeover_where_a_second_followed) {
    const History history = stamped()
                                .at(40)
                                .fault(2, Hazard::clock_jump, 70)
                                .at(50)
                                .ran(2, Phase::acquire, getset(220), Reply::bulk("100"))
                                .granted(2, "220", 100)
                                .at(60)
                                .leaving(2)
                                .at(230)
                                .ran(1, Phase::acquire, getset(330), Reply::bulk("220"))
                                .granted(1, "330", 100)
                                .end();
    const auto found = overlaps(stays_inside(history));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(cause_of(KeyLog(history), found[1]), Cause::clock);
}

TEST(CauseTakeover, expired_while_held_where_a_deadline_was_cut_to_whole_seconds) {
    const auto replaced = [](std::int64_t lease, std::int64_t taken) {
        return Story()
            .wants(0)
            .wants(1)
            .ran(0, Phase::acquire, setnx(2), Reply::integer(1))
            .granted(0, "2", lease)
            .at(taken)
            .ran(1, Phase::acquire, getset(4), Reply::bulk("2"))
            .granted(1, "4", lease)
            .end();
    };
    EXPECT_EQ(only_cause(replaced(2000, 1001)), Cause::expired_while_held);
    EXPECT_EQ(only_cause(replaced(2000, 990)), Cause::overwritten);
    EXPECT_EQ(only_cause(replaced(2500, 1501)), Cause::overwritten);
}

/// Whole seconds are the business of locks that write them.
TEST(CauseTakeover, overwritten_where_a_value_is_no_deadline_or_is_counted_finely) {
    const auto replaced = [](const char* token, Duration unit, std::int64_t taken) {
        return Story()
            .clock_unit(unit)
            .wants(0)
            .wants(1)
            .ran(0, Phase::acquire, Command::of("SETNX", "k", token), Reply::integer(1))
            .granted(0, token, 1000)
            .at(taken)
            .ran(1, Phase::acquire, Command::of("GETSET", "k", "9"), Reply::bulk(token))
            .granted(1, "9", 1000)
            .end();
    };
    EXPECT_EQ(only_cause(replaced("a", std::chrono::seconds(1), 8)), Cause::overwritten);
    EXPECT_EQ(only_cause(replaced("7", std::chrono::seconds(1), 8)), Cause::expired_while_held);
    EXPECT_EQ(only_cause(replaced("7", std::chrono::milliseconds(10), 8)), Cause::overwritten);
    EXPECT_EQ(only_cause(replaced("7", std::chrono::milliseconds(10), 991)),
              Cause::expired_while_held);
}

TEST(CauseTakeover, not_the_clock_of_a_third_client) {
    const History history = stamped()
                                .at(40)
                                .fault(2, Hazard::clock_jump, 70)
                                .at(50)
                                .deletes(1, Phase::acquire)
                                .ran(1, Phase::acquire, setnx(150), Reply::integer(1))
                                .granted(1, "150", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(CauseTakeover, foreign_renewal_by_the_loser_of_a_takeover) {
    const History history = stamped()
                                .at(20)
                                .ran(2, Phase::acquire, getset(40), Reply::bulk("100"))
                                .at(50)
                                .ran(1, Phase::acquire, getset(150), Reply::bulk("40"))
                                .granted(1, "150", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_renewal);
}

TEST(CauseTakeover, lost_data_where_an_old_deadline_came_back) {
    const History history = stamped()
                                .at(50)
                                .fault(2, Hazard::restart_snapshot, 60)
                                .at(51)
                                .ran(1, Phase::acquire, getset(151), Reply::bulk("20"))
                                .granted(1, "151", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

}  // namespace
}  // namespace locklab::cause_takeover_test
