// In a live history an Executed stands where its reply came; it ran at any time since it was
// sent.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/check/cause_story.h"

namespace locklab::cause_live_test {
namespace {

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

/// The key had its time to live from a second command, and that had run out: so the DEL of the
/// holder's last round, which was sent before the holder came, deleted what the holder had put.
TEST(CauseLive, a_late_delete_after_an_expiry_that_a_second_command_gave) {
    Story story("live");
    const auto takes = [&](std::uint32_t client, std::int64_t at) {
        story.wants(client).at(at);
        story.ran(client, Phase::acquire, Command::of("SETNX", "k", "1"), Reply::integer(1));
        story.ran(client, Phase::acquire, Command::of("PEXPIRE", "k", 100), Reply::integer(1));
        story.granted(client, "1", 100);
    };
    takes(0, 0);
    story.leaving(0).at(10).released(0);
    takes(0, 120);
    story.at(150).ran(0, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 145);
    takes(1, 152);
    EXPECT_EQ(only_cause(story.end()), Cause::foreign_delete);
}

/// Driver processes, whose commands were let through one at a time: a DEL of the holder's last
/// round was sent before the holder came, and ran where it stands.
TEST(CauseLive, a_late_delete_in_a_history_that_is_in_order) {
    Story story("driver");
    story.wants(0).ran(0, Phase::acquire, Command::of("SETNX", "k", "a"), Reply::integer(1));
    story.granted(0, "a").leaving(0).at(10).released(0);
    story.wants(0).at(120).sets(0, "b", 100).granted(0, "b", 100);
    story.at(150).ran(0, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 145);
    story.wants(1).at(152).sets(1, "c", 100).granted(1, "c", 100);
    History history = story.end();
    EXPECT_EQ(only_cause(history), Cause::unexplained);
    history.in_order = true;
    EXPECT_EQ(only_cause(history), Cause::foreign_delete);
}

TEST(CauseLive, a_release_whose_reply_came_after_the_holders_is_not_to_blame) {
    const History history =
        Story("live")
            .wants(0)
            .wants(1)
            .wants(2)
            .sets(2, "z", 100)
            .granted(2, "z", 100)
            .leaving(2)
            .at(50)
            .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 2)
            .granted(0, "a", 100)
            .at(51)
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 2)
            .at(90)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

/// By the order of the log it deleted its own key, which had time left: nobody else's was there.
TEST(CauseLive, a_release_that_was_under_way_as_the_holder_came_is_not_to_blame) {
    const auto taken = [](std::int64_t ttl) {
        return Story("live")
            .wants(0)
            .wants(1)
            .wants(2)
            .sets(2, "z", ttl)
            .granted(2, "z", ttl)
            .leaving(2)
            .at(50)
            .ran(2, Phase::release, Command::of("DEL", "k"), Reply::integer(1), 2)
            .at(51)
            .ran(0, Phase::acquire, Command::of("SET", "k", "a", "NX", "PX", 100), Reply::ok(), 2)
            .granted(0, "a", 100)
            .at(90)
            .sets(1, "b", 100)
            .granted(1)
            .end();
    };
    EXPECT_EQ(only_cause(taken(100)), Cause::lost_data);
    EXPECT_EQ(only_cause(taken(20)), Cause::foreign_delete) << "its own had run out by then";
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
    EXPECT_EQ(only_cause(history), Cause::lost_data);
}

/// Every command of ours is told. A key that is gone before its time, and that nobody of ours
/// deleted, was deleted by a stranger, or forgotten by the server.
TEST(CauseLive, lost_data_where_a_stranger_deleted_the_key) {
    EXPECT_EQ(only_cause(held("live").at(90).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::lost_data);
    EXPECT_EQ(only_cause(held("theirs").at(90).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::unexplained);
}

TEST(CauseLive, unexplained_where_a_command_of_ours_may_have_done_it) {
    const auto taken = [](bool lost) {
        Story story = held("live");
        story.at(40).sent(2, Phase::release, 7, Command::of("DEL", "k"));
        if (lost) story.note(2, Phase::release, event::Fault{Hazard::lose_request, {}, 7});
        return story.at(90).sets(1, "b", 100).granted(1, "b", 100).end();
    };
    EXPECT_EQ(only_cause(taken(false)), Cause::unexplained);
    EXPECT_EQ(only_cause(taken(true)), Cause::lost_data);
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
}  // namespace locklab::cause_live_test
