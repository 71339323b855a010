// The cause of an overlap where a reply came late: the lease had begun before its holder knew.
#include <gtest/gtest.h>

#include "harness/check/cause.h"
#include "tests/check/cause_story.h"

namespace locklab::cause_reply_test {
namespace {

/// Client 0's lease of 100 ms runs from 0 on, and it is told of it at `told`, late by a fault.
Story told_late(std::int64_t told, Hazard hazard = Hazard::delay_reply, std::uint64_t call = 7) {
    const Command set = Command::of("SET", "k", "a", "NX", "PX", 100);
    return Story()
        .wants(0)
        .wants(1)
        .sent(0, Phase::acquire, 7, set)
        .note(0, Phase::acquire, event::Fault{hazard, std::chrono::milliseconds(told), call})
        .ran(0, Phase::acquire, set, Reply::ok(), 0, 7)
        .at(told)
        .replied(0, 7, Reply::ok())
        .granted(0, "a", 100);
}

TEST(Cause, late_reply) {
    // Counted from the reply, the lease would run until 150.
    EXPECT_EQ(only_cause(told_late(50).at(110).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::late_reply);
    EXPECT_EQ(only_cause(told_late(50).at(149).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::late_reply);
    EXPECT_EQ(only_cause(told_late(50).at(150).sets(1, "b", 100).granted(1, "b", 100).end()),
              Cause::expired_while_held);
}

TEST(Cause, late_reply_to_who_was_told_after_the_next_holder) {
    const Command set = Command::of("SET", "k", "a", "NX", "PX", 100);
    const auto delayed = event::Fault{Hazard::delay_reply, std::chrono::milliseconds(250), 7};
    const History history = Story()
                                .wants(0)
                                .wants(1)
                                .sent(0, Phase::acquire, 7, set)
                                .note(0, Phase::acquire, delayed)
                                .ran(0, Phase::acquire, set, Reply::ok(), 0, 7)
                                .at(240)
                                .sets(1, "b", 100)
                                .granted(1, "b", 100)
                                .at(250)
                                .replied(0, 7, Reply::ok())
                                .granted(0, "a", 100)
                                .end();
    EXPECT_EQ(only_cause(history), Cause::late_reply);
}

TEST(Cause, a_reply_that_was_late_before_the_lease_began_is_no_late_reply) {
    // The fault struck an earlier call of the same client, or was another.
    EXPECT_EQ(only_cause(told_late(50, Hazard::delay_reply, 6)
                             .at(110)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .end()),
              Cause::expired_while_held);
    EXPECT_EQ(only_cause(told_late(50, Hazard::delay_request)
                             .at(110)
                             .sets(1, "b", 100)
                             .granted(1, "b", 100)
                             .end()),
              Cause::expired_while_held);
}

/// Its holder takes something else for a grant, a time-out or a nil.
TEST(Cause, a_reply_that_was_lost_is_a_late_one) {
    const auto broken = [](std::uint64_t call) {
        Story story = told_late(50, Hazard::lose_reply, call);
        return story.at(110).sets(1, "b", 100).granted(1, "b", 100).end();
    };
    EXPECT_EQ(only_cause(broken(7)), Cause::late_reply);
    EXPECT_EQ(only_cause(broken(8)), Cause::expired_while_held);
}

TEST(Cause, a_key_that_was_deleted_is_no_late_reply) {
    EXPECT_EQ(
        only_cause(told_late(50).at(60).deletes(2).sets(1, "b", 100).granted(1, "b", 100).end()),
        Cause::foreign_delete);
}

}  // namespace
}  // namespace locklab::cause_reply_test
