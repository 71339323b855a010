#include "harness/check/disturbance.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::disturbance_test {
namespace {

/// A command is sent and, at the end, not answered in time.
Story unanswered() {
    Story story("live");
    story.at(1).wants(0).sent(0, Phase::acquire, 7, Command::of("SET", "k", "a", "NX", "PX", 9));
    return story;
}

Story& strike(Story& story, Hazard hazard, std::uint64_t call) {
    return story.note(0, Phase::acquire, event::Fault{hazard, std::chrono::milliseconds(5), call});
}

TEST(DisturbanceTest, accepts_a_run_in_which_all_was_answered) {
    Story story = unanswered();
    EXPECT_FALSE(was_disturbed(story.at(2).replied(0, 7, Reply::ok()).end()));
    EXPECT_FALSE(was_disturbed(Story("live").end()));
}

TEST(DisturbanceTest, rejects_an_answer_that_was_late_for_no_reason) {
    Story story = unanswered();
    EXPECT_TRUE(was_disturbed(story.at(2).replied(0, 7, Reply::unknown()).end()));
}

TEST(DisturbanceTest, accepts_a_late_answer_to_the_command_that_a_fault_struck) {
    Story story = unanswered();
    strike(story.at(1), Hazard::lose_reply, 7);
    EXPECT_FALSE(was_disturbed(story.at(2).replied(0, 7, Reply::unknown()).end()));
}

TEST(DisturbanceTest, rejects_a_late_answer_to_another_command) {
    Story story = unanswered();
    strike(story.at(1), Hazard::lose_reply, 6);
    EXPECT_TRUE(was_disturbed(story.at(2).replied(0, 7, Reply::unknown()).end()));
}

TEST(DisturbanceTest, a_fault_of_a_client_excuses_no_command) {
    Story story = unanswered();
    strike(story.at(1), Hazard::pause, 0);
    EXPECT_TRUE(was_disturbed(story.at(2).replied(0, 7, Reply::unknown()).end()));
}

TEST(DisturbanceTest, a_restart_excuses_what_comes_after_it_and_not_what_came_before) {
    for (const Hazard hazard : {Hazard::restart, Hazard::restart_snapshot}) {
        Story after = unanswered();
        strike(after.at(1), hazard, 0);
        EXPECT_FALSE(was_disturbed(after.at(2).replied(0, 7, Reply::unknown()).end()));
        Story before = unanswered();
        before.at(2).replied(0, 7, Reply::unknown());
        EXPECT_TRUE(was_disturbed(strike(before.at(3), hazard, 0).end()));
    }
}

TEST(DisturbanceTest, a_restart_excuses_no_command_to_another_server) {
    for (const NodeId struck : {NodeId{0}, NodeId{1}}) {
        Story story("live");
        story.at(1).wants(0);
        const Command command = Command::of("SET", "k", "a", "NX", "PX", 9);
        story.note(0, Phase::acquire, event::Sent{7, NodeId{1}, command});
        story.note(0, Phase::acquire, event::Fault{Hazard::restart, {}, 0, struck});
        const History history = story.at(2).replied(0, 7, Reply::unknown()).end();
        EXPECT_EQ(was_disturbed(history), struck == NodeId{0});
    }
}

}  // namespace
}  // namespace locklab::disturbance_test
