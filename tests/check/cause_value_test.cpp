// A cause follows the value that a grant rests on, from the command that wrote it to the one that
// removed or replaced it, no matter who sent them.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/check/cause_story.h"

namespace locklab {
namespace {

event::Sent sent_rounds_ago(std::uint64_t call, Command command, std::uint32_t rounds) {
    return event::Sent{call, NodeId{}, std::move(command), rounds};
}

/// Client 0 was granted the lock under "a", and is inside under "b". A background task begun in
/// the first of these rounds, or in the second, deletes "b"; then client 1 comes.
History released_by_a_task(std::uint32_t rounds_ago) {
    const Command deletes = Command::eval(kDeleteOwn, Key{"k"}, "b");
    return Story()
        .wants(0)
        .wants(1)
        .sets(0, "a", 100)
        .granted(0, "a", 100)
        .leaving(0)
        .deletes(0)
        .released(0)
        .at(1)
        .wants(0)
        .sets(0, "b", 100)
        .granted(0, "b", 100)
        .at(50)
        .note(0, Phase::background, sent_rounds_ago(9, deletes, rounds_ago))
        .ran(0, Phase::background, deletes, Reply::integer(1), 0, 9)
        .at(51)
        .sets(1, "c", 100)
        .granted(1, "c", 100)
        .end();
}

TEST(CauseValue, a_task_of_an_old_round_that_shows_the_new_token_deletes_as_a_stranger) {
    EXPECT_EQ(only_cause(released_by_a_task(1)), Cause::foreign_delete);
    EXPECT_EQ(only_cause(released_by_a_task(0)), Cause::expired_while_held);
}

/// The server evicts a key while client 0 is inside, and client 1 comes when its lease is over.
TEST(CauseValue, an_eviction_takes_one_key_and_leaves_the_others) {
    for (const auto& [key, cause] :
         {std::pair("", Cause::lost_data), std::pair("k", Cause::lost_data),
          std::pair("k:fence", Cause::expired_while_held)}) {
        const event::Fault evicted{Hazard::evict, {}, 0, NodeId{0}, false, key};
        Story story = held().at(20).note(0, Phase::inside, evicted);
        EXPECT_EQ(only_cause(story.at(151).sets(1, "b", 100).granted(1, "b", 100).end()), cause)
            << key;
    }
}

/// Long before the lease of client 0 is over.
TEST(CauseValue, a_flush_takes_every_key) {
    Story story = held().at(20).note(0, Phase::inside, event::Fault{Hazard::flush});
    EXPECT_EQ(only_cause(story.at(51).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::lost_data);
}

/// The key of client 0 is deleted by a script that shows its token; client 2 may have read that.
History reaped(bool reads, bool in_one_round) {
    const Command frees = Command::eval(kDeleteOwn, Key{"k"}, "a");
    Story story = held();
    if (!in_one_round) story.at(10).granted(2, "z").leaving(2).released(2).wants(2);
    story.at(20);
    if (reads) story.ran(2, Phase::acquire, Command::of("GET", "k"), Reply::bulk("a"));
    return story.ran(2, Phase::acquire, frees, Reply::integer(1))
        .at(51)
        .sets(1, "b", 100)
        .granted(1, "b", 100)
        .end();
}

TEST(CauseValue, who_read_a_token_has_not_the_same) {
    EXPECT_EQ(only_cause(reaped(true, true)), Cause::foreign_delete);
    EXPECT_EQ(only_cause(reaped(false, true)), Cause::token_collision);
}

TEST(CauseValue, who_was_granted_the_lock_under_another_token_has_not_the_same) {
    const Command frees = Command::eval(kDeleteOwn, Key{"k"}, "z");
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .wants(2)
                                .sets(2, "x", 100)
                                .granted(2, "x", 100)
                                .leaving(2)
                                .deletes(2)
                                .sets(0, "z", 100)
                                .granted(0, "z", 100)
                                .at(50)
                                .ran(2, Phase::release, frees, Reply::integer(1))
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

/// Client 2 hands its key over to client 0: it writes client 0's token there, which lives for
/// 50 ms.
Story handed_over() {
    Story story;
    story.wants(0).wants(1).wants(2).sets(2, "z", 100).granted(2, "z", 100).at(10).leaving(2);
    story.ran(2, Phase::release, Command::of("SET", "k", "a", "PX", 50), Reply::ok()).released(2);
    story.at(11).ran(0, Phase::acquire, Command::of("GET", "k"), Reply::bulk("a"));
    return story.granted(0, "a", 100);
}

TEST(CauseValue, a_grant_may_rest_on_a_value_that_another_wrote) {
    EXPECT_EQ(only_cause(handed_over().at(62).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::expired_while_held);
    EXPECT_EQ(
        only_cause(
            handed_over().at(20).deletes(2).at(21).sets(1, "b", 100).granted(1, "b", 100).end()),
        Cause::foreign_delete);
    EXPECT_EQ(only_cause(handed_over()
                             .at(20)
                             .fault(2, Hazard::restart)
                             .at(21)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .end()),
              Cause::lost_data);
}

/// What another has, and counts on, is nothing that a grant rests on.
TEST(CauseValue, no_key_where_the_value_is_that_of_another_holder) {
    const Command get = Command::of("GET", "k");
    EXPECT_EQ(
        only_cause(held().at(5).ran(1, Phase::acquire, get, Reply::bulk("a")).granted(1).end()),
        Cause::no_key);
    // Also where its holder is told of its grant last.
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(0, "a", 100)
                                .ran(1, Phase::acquire, get, Reply::bulk("a"))
                                .granted(1)
                                .granted(0, "a", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::no_key);
}

TEST(CauseValue, token_collision_where_the_holders_token_is_taken_for_ones_own) {
    const History history = held()
                                .at(5)
                                .ran(1, Phase::acquire, Command::of("GET", "k"), Reply::bulk("a"))
                                .granted(1, "a")
                                .end();
    EXPECT_EQ(only_cause(history), Cause::token_collision);
}

/// Client 0 remembers that it has the lock, and takes it again without a command.
Story remembered() {
    Story story;
    story.wants(0).wants(1).sets(0, "a", 100).granted(0, "a", 100).at(5).leaving(0).released(0);
    return story;
}

TEST(CauseValue, what_is_remembered_was_lost_by_who_removed_it) {
    EXPECT_EQ(only_cause(remembered()
                             .at(20)
                             .fault(1, Hazard::restart)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .wants(0)
                             .granted(0, "a", 100)
                             .end()),
              Cause::lost_data);
    EXPECT_EQ(only_cause(remembered()
                             .at(20)
                             .deletes(1)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .wants(0)
                             .granted(0, "a", 100)
                             .end()),
              Cause::foreign_delete);
}

TEST(CauseValue, no_key_where_what_is_remembered_was_given_back_or_had_run_out) {
    EXPECT_EQ(only_cause(remembered()
                             .at(20)
                             .deletes(0)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .wants(0)
                             .granted(0, "a", 100)
                             .end()),
              Cause::no_key);
    EXPECT_EQ(only_cause(remembered()
                             .at(101)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .wants(0)
                             .granted(0, "a", 100)
                             .end()),
              Cause::no_key);
}

/// A renewal by SET of client 1's last round stands where client 0 has its key, and client 1 finds
/// it.
TEST(CauseValue, revived_key_where_its_client_takes_it_for_its_own) {
    const Command set = Command::of("SET", "k", "b", "PX", 100);
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .leaving(1)
                                .deletes(1)
                                .released(1)
                                .at(1)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .at(10)
                                .ran(1, Phase::background, set, Reply::ok())
                                .wants(1)
                                .ran(1, Phase::acquire, Command::of("GET", "k"), Reply::bulk("b"))
                                .granted(1, "b", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::revived_key);
}

/// An old key of client 0 comes back, and it takes that for its lock.
TEST(CauseValue, lost_data_where_an_old_key_came_back_and_lets_its_owner_in) {
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sets(0, "a", 100)
                                .granted(0, "a", 100)
                                .leaving(0)
                                .deletes(0)
                                .released(0)
                                .at(10)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .at(20)
                                .fault(1, Hazard::restart_snapshot, 15)
                                .wants(0)
                                .ran(0, Phase::acquire, Command::of("GET", "k"), Reply::bulk("a"))
                                .granted(0, "c", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

/// The lock's own key is never touched.
Story under_another_name(std::string key) {
    Story story;
    story.wants(0).wants(1).wants(2);
    story.ran(0, Phase::acquire, Command::of("SET", key, "a", "NX", "PX", 100), Reply::ok());
    return story.granted(0, "a", 100);
}

Story& takes_it(Story& story, const std::string& key) {
    story.ran(1, Phase::acquire, Command::of("SET", key, "b", "NX", "PX", 100), Reply::ok());
    return story.granted(1, "b", 100);
}

TEST(CauseValue, a_grant_may_rest_on_a_key_of_another_name) {
    Story expired = under_another_name("k:lock");
    EXPECT_EQ(only_cause(takes_it(expired.at(101), "k:lock").end()), Cause::expired_while_held);
    Story lost = under_another_name("k:lock");
    EXPECT_EQ(only_cause(takes_it(lost.at(50).fault(2, Hazard::restart).at(51), "k:lock").end()),
              Cause::lost_data);
    Story freed = under_another_name("k:lock");
    freed.at(50).ran(2, Phase::release, Command::of("DEL", "k:lock"), Reply::integer(1));
    EXPECT_EQ(only_cause(takes_it(freed, "k:lock").end()), Cause::foreign_delete);
}

TEST(CauseValue, unexplained_where_each_has_a_key_of_its_own) {
    Story story = under_another_name("k:a");
    EXPECT_EQ(only_cause(takes_it(story.at(50), "k:b").end()), Cause::unexplained);
}

TEST(CauseValue, unexplained_where_each_has_counted_for_another_reason) {
    const auto count = [](Story& story, std::uint32_t client, std::int64_t number) {
        story.ran(client, Phase::acquire, Command::of("INCR", "k:tickets"), Reply::integer(number));
        story.granted(client, "");
    };
    Story story;
    story.wants(0).wants(1);
    count(story, 0, 1);
    count(story, 1, 2);
    EXPECT_EQ(only_cause(story.end()), Cause::unexplained);
}

TEST(CauseValue, no_key_where_only_one_has_the_locks_own) {
    const History history =
        held()
            .at(5)
            .ran(1, Phase::acquire, Command::of("SET", "k", "b", "NX"), Reply::nil())
            .ran(1, Phase::acquire, Command::of("INCR", "k:fence"), Reply::integer(1))
            .granted(1, "b")
            .end();
    EXPECT_EQ(only_cause(history), Cause::no_key);
}

/// A request was late: its key outlives the lease that its client counts from sending.
TEST(CauseValue, overwritten_where_the_key_is_still_there) {
    const History history =
        Story()
            .wants(0)
            .wants(1)
            .at(80)
            .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 80)
            .granted(0, "a", 100)
            .at(120)
            .ran(1, Phase::acquire, Command::of("SET", "k", "b", "PX", 100), Reply::ok())
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::overwritten);
}

TEST(CauseValue, expired_where_only_a_stranger_kept_the_key) {
    const History history =
        held()
            .at(90)
            .ran(2, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(120)
            .ran(1, Phase::acquire, Command::of("SET", "k", "b", "PX", 100), Reply::ok())
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::expired_while_held);
}

/// After a restart from a snapshot a stranger renews what came back.
TEST(CauseValue, lost_data_though_a_stranger_finds_its_own_key) {
    const History history =
        held()
            .at(20)
            .fault(2, Hazard::restart_snapshot, 30)
            .at(30)
            .ran(2, Phase::background, Command::of("PEXPIRE", "k", 100), Reply::integer(1))
            .at(40)
            .deletes(2)
            .sets(1, "b", 100)
            .granted(1, "b", 100)
            .end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

}  // namespace
}  // namespace locklab
