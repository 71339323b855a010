// Every cause, on the shortest history that has it, and beside it the nearest one that has not.
#include "harness/check/cause.h"

#include <gtest/gtest.h>

#include "tests/story.h"

namespace locklab {
namespace {

Cause only_cause(const History& history) {
    const auto found = overlaps(stays_inside(history));
    EXPECT_EQ(found.size(), 1U);
    if (found.empty()) return Cause::unexplained;
    return cause_of(KeyLog(history), found.front());
}

/// Client 0 holds the key from 0 on, for 100 ms.
Story held(std::string world = "sim") {
    return Story(std::move(world))
        .wants(0)
        .wants(1)
        .wants(2)
        .sets(0, "a", 100)
        .granted(0, "a", 100);
}

Command setnx(std::int64_t deadline) { return Command::of("SETNX", "k", deadline); }
Command getset(std::int64_t deadline) { return Command::of("GETSET", "k", deadline); }

/// Client 0 holds a key that says when it expires, and that the server never expires.
Story stamped() {
    return Story()
        .wants(0)
        .wants(1)
        .wants(2)
        .ran(0, Phase::acquire, setnx(100), Reply::integer(1))
        .granted(0, "100", 100);
}

TEST(Cause, expired_while_held) {
    EXPECT_EQ(only_cause(held().at(101).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::expired_while_held);
}

TEST(Cause, a_key_that_vanished_in_time_is_unexplained) {
    EXPECT_EQ(only_cause(held().at(90).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::unexplained);
}

TEST(Cause, a_renewal_moves_the_deadline) {
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

TEST(Cause, a_renewal_that_came_too_late_moves_nothing) {
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

TEST(Cause, foreign_delete) {
    EXPECT_EQ(only_cause(held().at(50).deletes(2).at(51).sets(1, "b", 100).granted(1).end()),
              Cause::foreign_delete);
}

TEST(Cause, foreign_delete_though_the_lease_ran_out_later) {
    EXPECT_EQ(only_cause(held().at(50).deletes(2).at(151).sets(1, "b", 100).granted(1).end()),
              Cause::foreign_delete);
}

TEST(Cause, foreign_delete_by_its_own_late_release) {
    const History history =
        Story()
            .wants(0)
            .wants(1)
            .sets(0, "a", 100)
            .granted(0, "a", 100)
            .at(5)
            .leaving(0)
            .sent(0, Phase::release, 7, Command::of("DEL", "k"))
            .at(30)
            .released(0)
            .at(101)
            .wants(0)
            .sets(0, "b", 100)
            .granted(0, "b", 100)
            .at(120)
            .ran(0, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 115, 7)
            .at(121)
            .sets(1, "c", 100)
            .granted(1, "c", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(Cause, foreign_delete_of_a_fresh_key_in_a_takeover) {
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

TEST(Cause, expired_while_held_where_the_takeover_deletes_an_old_key) {
    const History history = stamped()
                                .at(101)
                                .deletes(1, Phase::acquire)
                                .ran(1, Phase::acquire, setnx(201), Reply::integer(1))
                                .granted(1, "201", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, expired_while_held_where_the_takeover_replaces_an_old_key) {
    const History history = stamped()
                                .at(101)
                                .ran(1, Phase::acquire, getset(201), Reply::bulk("100"))
                                .granted(1, "201", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, clock_of_the_client_that_took_over) {
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

TEST(Cause, not_the_clock_of_a_third_client) {
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

TEST(Cause, clock_of_the_server) {
    const auto jumped = [](std::int64_t jump, std::int64_t taken) {
        return held()
            .at(jump)
            .fault(2, Hazard::server_clock_jump, 60)
            .at(taken)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(jumped(50, 51)), Cause::clock);
    EXPECT_EQ(only_cause(jumped(50, 101)), Cause::expired_while_held);
}

TEST(Cause, foreign_renewal_that_gives_a_lasting_key_a_deadline) {
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

TEST(Cause, a_foreign_renewal_that_gave_more_time_is_not_to_blame) {
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

TEST(Cause, foreign_renewal_by_the_loser_of_a_takeover) {
    const History history = stamped()
                                .at(20)
                                .ran(2, Phase::acquire, getset(40), Reply::bulk("100"))
                                .at(50)
                                .ran(1, Phase::acquire, getset(150), Reply::bulk("40"))
                                .granted(1, "150", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_renewal);
}

TEST(Cause, revived_key) {
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

TEST(Cause, a_holder_may_put_back_its_own_key) {
    const auto put_back = [](std::int64_t taken) {
        return held()
            .at(105)
            .ran(0, Phase::background, Command::of("SET", "k", "a", "PX", 100), Reply::ok())
            .at(taken)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(put_back(206)), Cause::expired_while_held);
    EXPECT_EQ(only_cause(put_back(150)), Cause::unexplained);
}

TEST(Cause, lost_data) {
    for (const Hazard hazard : {Hazard::restart, Hazard::restart_snapshot, Hazard::evict}) {
        const History history =
            held().at(50).fault(2, hazard).at(51).sets(1, "b", 100).granted(1, "b", 100).end();
        EXPECT_EQ(only_cause(history), Cause::lost_data) << name_of(hazard);
    }
}

TEST(Cause, lost_data_though_the_next_came_after_the_lease) {
    const History history =
        held().at(50).fault(2, Hazard::evict).at(101).sets(1, "b", 100).granted(1).end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

TEST(Cause, data_lost_after_the_lease_is_not_to_blame) {
    const History history =
        held().at(105).fault(2, Hazard::restart).at(106).sets(1, "b", 100).granted(1).end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, data_lost_before_the_key_was_taken_is_not_to_blame) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .fault(1, Hazard::restart)
                                .at(1)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .at(102)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, a_key_seen_after_the_restart_was_not_lost) {
    const History history =
        held()
            .at(50)
            .fault(2, Hazard::restart_snapshot)
            .at(60)
            .ran(0, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(161)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, lost_data_where_an_old_deadline_came_back) {
    const History history = stamped()
                                .at(50)
                                .fault(2, Hazard::restart_snapshot, 60)
                                .at(51)
                                .ran(1, Phase::acquire, getset(151), Reply::bulk("20"))
                                .granted(1, "151", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

TEST(Cause, token_collision) {
    const auto deleted_by_script = [](const char* token) {
        return held()
            .at(50)
            .ran(2, Phase::release, Command::eval(kDeleteOwn, Key{"k"}, token), Reply::integer(1))
            .at(51)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(deleted_by_script("a")), Cause::token_collision);
    EXPECT_EQ(only_cause(deleted_by_script("z")), Cause::foreign_delete);
}

TEST(Cause, token_collision_where_the_next_holder_passes_for_the_first) {
    const History history =
        held()
            .at(50)
            .ran(1, Phase::acquire, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .granted(1, "a", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::token_collision);
}

TEST(Cause, no_key) {
    EXPECT_EQ(only_cause(Story().wants(0).granted(0).wants(1).granted(1).end()), Cause::no_key);
}

TEST(Cause, no_key_where_only_the_later_grant_had_none) {
    EXPECT_EQ(only_cause(held().at(50).granted(1).end()), Cause::no_key);
}

TEST(Cause, unexplained_where_the_history_tells_no_commands) {
    EXPECT_EQ(only_cause(Story("theirs").granted(0).granted(1).end()), Cause::unexplained);
}

TEST(Cause, a_foreign_history_may_tell_effects_alone) {
    const auto effect = [](KeyEffect::Kind kind, std::int64_t at, std::int64_t ttl) {
        return event::Executed(0, NodeId{}, ms(at), Command(), Reply::unknown(),
                               KeyEffect{kind, std::chrono::milliseconds(ttl)});
    };
    const auto taken_again = [&](std::int64_t t) {
        return Story("theirs")
            .note(0, Phase::idle, effect(KeyEffect::Kind::created, 0, 100))
            .granted(0)
            .at(t)
            .note(1, Phase::idle, effect(KeyEffect::Kind::created, t, 100))
            .granted(1)
            .end();
    };
    EXPECT_EQ(only_cause(taken_again(101)), Cause::expired_while_held);
    EXPECT_EQ(only_cause(taken_again(50)), Cause::unexplained);
}

TEST(Cause, the_first_to_take_the_key_may_be_the_last_to_be_told) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(0, "a", 100)
                                .at(101)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .at(102)
                                .granted(0, "a", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, of_each_pair_where_a_third_came_between) {
    const History history = held()
                                .at(101)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .at(110)
                                .deletes(0)
                                .at(111)
                                .sets(2, "c", 100)
                                .granted(2, "c", 100)
                                .end();
    const auto found = overlaps(stays_inside(history));
    const KeyLog log(history);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(cause_of(log, found[0]), Cause::expired_while_held);
    EXPECT_EQ(cause_of(log, found[1]), Cause::expired_while_held);
    EXPECT_EQ(cause_of(log, found[2]), Cause::foreign_delete);
}

TEST(Cause, commands_on_other_keys_and_nodes_do_not_matter) {
    const History history =
        held()
            .at(50)
            .ran(2, Phase::release, Command::of("DEL", "other"), Reply::integer(1))
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 0, 0, NodeId{1})
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 0, 0, kArbiter)
            .at(101)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, a_key_taken_under_an_earlier_try_belongs_to_the_grant) {
    const History history =
        Story()
            .wants(0)
            .wants(1)
            .sent(0, Phase::acquire, 1, Command::of("SET", "k", "a", "NX", "PX", 100))
            .at(10)
            .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 10,
                 1)
            .at(20)
            .granted(0, "a", 100)
            .at(111)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

// In a live history an Executed stands where its reply came; it ran at any time since it was sent.

TEST(CauseLive, the_release_that_made_room_for_the_holder_is_not_to_blame) {
    const History history =
        Story("live")
            .wants(0)
            .wants(1)
            .wants(2)
            .at(10)
            .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 8)
            .granted(0, "a", 100)
            .at(11)
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 9)
            .at(120)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(CauseLive, a_delete_whose_reply_came_last) {
    const History history =
        held("live")
            .at(50)
            .sets(1, "b", 100)
            .granted(1)
            .at(52)
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 4)
            .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(CauseLive, a_delete_that_was_sent_later_is_not_to_blame) {
    const History history =
        held("live")
            .at(50)
            .sets(1, "b", 100)
            .granted(1)
            .at(52)
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::unexplained);
}

TEST(CauseLive, a_lease_counts_from_when_the_command_was_sent) {
    const History history =
        Story("live")
            .wants(0)
            .wants(1)
            .at(30)
            .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 30)
            .granted(0, "a", 100)
            .at(105)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

}  // namespace
}  // namespace locklab
