// In a live history an Executed stands where its reply came; it ran at any time since it was
// sent.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/cause_story.h"

namespace locklab {
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
