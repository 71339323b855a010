// Every cause, on the shortest history that has it, and beside it the nearest one that has not.
#include "harness/check/cause.h"

#include <gtest/gtest.h>

#include "tests/check/cause_story.h"

namespace locklab::cause_test {
namespace {

TEST(Cause, expired_while_held) {
    EXPECT_EQ(only_cause(held().at(101).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::expired_while_held);
}

TEST(Cause, a_key_that_vanished_in_time_is_unexplained) {
    EXPECT_EQ(only_cause(held().at(90).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::unexplained);
}

TEST(Cause, a_deadline_is_whole_milliseconds) {
    EXPECT_EQ(only_cause(held().at(99).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::expired_while_held);
    EXPECT_EQ(only_cause(held().at(98).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::unexplained);
}

TEST(Cause, overwritten) {
    const auto taken = [](Command command, std::int64_t lease) {
        return Story()
            .wants(0)
            .wants(1)
            .sets(0, "a", lease)
            .granted(0, "a", lease)
            .at(8)
            .ran(1, Phase::acquire, std::move(command), Reply::ok())
            .granted(1, "b", lease)
            .end();
    };
    // A second does not make it an expiry: the key has a time to live, and no deadline in it.
    for (const std::int64_t lease : {1000, 1001}) {
        EXPECT_EQ(only_cause(taken(Command::of("SET", "k", "b", "PX", lease), lease)),
                  Cause::overwritten);
        EXPECT_EQ(only_cause(taken(Command::of("set", "k", "b"), lease)), Cause::overwritten);
        EXPECT_EQ(only_cause(taken(Command::of("PSETEX", "k", lease, "b"), lease)),
                  Cause::overwritten);
        EXPECT_EQ(only_cause(taken(Command::of("setex", "k", 1, "b"), lease)), Cause::overwritten);
    }
}

TEST(Cause, overwritten_by_the_very_same_value) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .ran(0, Phase::acquire, Command::of("SET", "k", "1"), Reply::ok())
                                .granted(0, "1")
                                .ran(1, Phase::acquire, Command::of("SET", "k", "1"), Reply::ok())
                                .granted(1, "1")
                                .end();
    EXPECT_EQ(only_cause(history), Cause::overwritten);
}

TEST(Cause, overwritten_where_the_lease_was_over_is_an_expiry) {
    const History history = held()
                                .at(101)
                                .ran(1, Phase::acquire, Command::of("SET", "k", "b"), Reply::ok())
                                .granted(1, "b")
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, overwritten_by_who_did_not_get_it_and_whose_key_ran_out) {
    const History history =
        held()
            .at(10)
            .ran(2, Phase::acquire, Command::of("SET", "k", "c", "PX", 20), Reply::ok())
            .at(31)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::overwritten);
}

/// It is a clock where a deadline is in the value, and somebody read it wrongly.
TEST(Cause, overwritten_and_not_a_clock_where_the_key_has_a_time_to_live) {
    const History history = held()
                                .at(10)
                                .fault(1, Hazard::clock_jump, 70)
                                .ran(1, Phase::acquire, Command::of("SET", "k", "b"), Reply::ok())
                                .granted(1, "b")
                                .end();
    EXPECT_EQ(only_cause(history), Cause::overwritten);
}

/// PXAT, by a clock that is behind: the key has less time than the lease.
TEST(Cause, clock_where_the_key_was_given_a_time_of_day_that_was_wrong) {
    const auto taken = [](std::uint32_t whose) {
        return Story()
            .wants(0)
            .wants(1)
            .fault(whose, Hazard::clock_offset, -70)
            .sets(0, "a", 30)
            .granted(0, "a", 100)
            .at(50)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    };
    EXPECT_EQ(only_cause(taken(0)), Cause::clock);
    EXPECT_EQ(only_cause(taken(1)), Cause::expired_while_held);
}

TEST(Cause, foreign_delete_by_every_command_that_deletes) {
    for (const Command& command :
         {Command::of("del", "k"), Command::of("UNLINK", "k"), Command::of("unlink", "j", "k"),
          Command::of("PEXPIRE", "k", 0), Command::of("EXPIREAT", "k", 1)}) {
        const History history = held()
                                    .at(50)
                                    .ran(2, Phase::release, command, Reply::integer(1))
                                    .at(51)
                                    .sets(1, "b", 100)
                                    .granted(1)
                                    .end();
        EXPECT_EQ(only_cause(history), Cause::foreign_delete) << to_string(command);
    }
}

TEST(Cause, words_in_lower_case_rest_on_a_key_too) {
    const auto set = [](const char* token) {
        return Command::of("set", "k", token, "nx", "px", 100);
    };
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .ran(0, Phase::acquire, set("a"), Reply::ok())
                                .granted(0, "a", 100)
                                .at(101)
                                .ran(1, Phase::acquire, set("b"), Reply::ok())
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, a_lock_that_is_taken_again_and_counted_by_its_client_rests_on_its_key) {
    const History history = held()
                                .at(10)
                                .note(0, Phase::inside, event::Wants{true})
                                .granted(0, "a", 100)
                                .at(101)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, a_release_of_a_lock_that_is_taken_again_is_its_own) {
    const History history = held()
                                .at(10)
                                .note(0, Phase::inside, event::Wants{true})
                                .granted(0, "a", 100)
                                .at(20)
                                .deletes(0, Phase::inside)
                                .at(101)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    const KeyLog log(history);
    ASSERT_EQ(log.changes().size(), 3U);
    EXPECT_EQ(log.changes()[0].round, log.changes()[1].round);
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

constexpr Script kExtendOwn{
    "extend_own",
    "if redis.call('get', KEYS[1]) == ARGV[1] "
    "then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"};

TEST(Cause, expired_where_its_own_renewal_ends_the_lease) {
    const History history = held()
                                .at(50)
                                .ran(0, Phase::background,
                                     Command::eval(kExtendOwn, Key{"k"}, "a", 0), Reply::integer(1))
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

TEST(Cause, foreign_delete_by_who_was_refused_and_had_counted) {
    const Command counts = Command::of("INCR", "k");
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .wants(2)
                                .ran(0, Phase::acquire, counts, Reply::integer(1))
                                .ran(1, Phase::acquire, counts, Reply::integer(2))
                                .deletes(1, Phase::acquire)
                                .ran(2, Phase::acquire, counts, Reply::integer(1))
                                .granted(2)
                                .granted(0)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(Cause, no_key) {
    EXPECT_EQ(only_cause(Story().wants(0).granted(0).wants(1).granted(1).end()), Cause::no_key);
}

TEST(Cause, no_key_where_only_the_later_grant_had_none) {
    EXPECT_EQ(only_cause(held().at(50).granted(1).end()), Cause::no_key);
}

/// What is no command of the model may have made the key.
TEST(Cause, unexplained_where_nobody_knows_what_a_command_did) {
    const auto then = [](Command command, Reply reply) {
        return only_cause(held("driver")
                              .at(50)
                              .ran(1, Phase::acquire, std::move(command), std::move(reply))
                              .granted(1)
                              .end());
    };
    EXPECT_EQ(then(Command::of("SADD", "k", "b"), Reply::integer(1)), Cause::unexplained);
    EXPECT_EQ(then(Command::of("EXISTS", "k"), Reply::integer(1)), Cause::no_key);
}

TEST(Cause, no_key_where_a_foreign_history_tells_the_commands_of_the_other) {
    const History history = Story("theirs").sets(0, "a", 100).granted(0).granted(1).end();
    EXPECT_EQ(only_cause(history), Cause::no_key);
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
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 0, 0, kOracle)
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

}  // namespace
}  // namespace locklab::cause_test
