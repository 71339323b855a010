#include "harness/foreign/run_story.h"

#include <gtest/gtest.h>

#include "harness/check/judge.h"

namespace locklab::run_story_test {
namespace {

constexpr ClientId kA{0};
constexpr ClientId kB{1};

RunStory new_story() {
    HistoryHead head;
    head.world = "driver";
    head.clients = 2;
    return {std::move(head), RunStory::Clock::now()};
}

void step(RunStory& story, ClientId client) {
    story.step_asked(client);
    story.inside(client);
}

void grant(RunStory& story, ClientId client) {
    story.note(client, Phase::acquire, event::Wants{});
    story.granted(client, "");
}

void release(RunStory& story, ClientId client) {
    story.release_asked(client);
    story.released(client, Release::yes, true);
}

/// The verdict on the history, which is to be the same as that of the order of answers.
Verdict verdict_on(RunStory& story) {
    const bool proved = !story.proved().empty();
    const Judgement judgement = judge(story.finish());
    EXPECT_EQ(proved, judgement.overlaps > 0);
    return judgement.verdict;
}

TEST(RunStory, rejects_two_whose_steps_show_them_inside_together) {
    RunStory story = new_story();
    grant(story, kA);
    grant(story, kB);
    EXPECT_TRUE(story.suspects(kA, kB));
    step(story, kA);
    step(story, kB);
    EXPECT_FALSE(story.suspects(kA, kB));
    release(story, kA);
    release(story, kB);
    EXPECT_EQ(story.told().nothing, 1U);
    EXPECT_EQ(verdict_on(story), Verdict::violated);
}

/// In the history, the time from a client's grant to its end.
std::pair<Instant, Instant> stay_of(const History& history, ClientId client) {
    std::pair<Instant, Instant> stay;
    for (const Event& event : history.events) {
        if (event.client != client) continue;
        if (std::holds_alternative<event::Granted>(event.detail)) stay.first = event.at;
        if (std::holds_alternative<event::Lost>(event.detail)) stay.second = event.at;
    }
    return stay;
}

TEST(RunStory, who_is_told_of_a_loss_was_inside_until_then) {
    RunStory story = new_story();
    grant(story, kA);
    step(story, kA);
    const Instant lost = story.stamp();
    story.told_lost(kA);
    EXPECT_GT(stay_of(story.finish(), kA).second, lost);
}

TEST(RunStory, who_is_told_after_anothers_grant_was_inside_until_that) {
    RunStory story = new_story();
    grant(story, kA);
    step(story, kA);
    grant(story, kB);
    story.told_lost(kA);
    step(story, kB);
    story.told_lost(kB);
    const History history = story.finish();
    EXPECT_EQ(judge(history).overlaps, 0U);
    EXPECT_EQ(stay_of(history, kA).second, stay_of(history, kB).first - Duration(1));
}

TEST(RunStory, accepts_one_after_the_other) {
    RunStory story = new_story();
    for (const ClientId client : {kA, kB, kA}) {
        grant(story, client);
        step(story, client);
        release(story, client);
    }
    EXPECT_EQ(verdict_on(story), Verdict::holds);
}

/// It may have learnt of its loss, and the line that says so is not read yet.
TEST(RunStory, accepts_a_grant_while_the_other_says_nothing) {
    RunStory story = new_story();
    grant(story, kA);
    step(story, kA);
    grant(story, kB);
    step(story, kB);
    step(story, kB);
    story.told_lost(kA);
    release(story, kB);
    EXPECT_EQ(verdict_on(story), Verdict::holds);
}

TEST(RunStory, accepts_a_step_that_was_asked_before_the_other_was_granted) {
    RunStory story = new_story();
    grant(story, kA);
    story.step_asked(kA);
    grant(story, kB);
    story.inside(kA);
    step(story, kB);
    release(story, kA);
    release(story, kB);
    EXPECT_EQ(verdict_on(story), Verdict::holds);
}

/// B's step was asked before A's answer was read: nothing is proved, though both were asked after
/// both grants, and the history must not say more.
TEST(RunStory, a_history_says_no_more_than_was_proved) {
    RunStory story = new_story();
    grant(story, kA);
    grant(story, kB);
    story.step_asked(kA);
    story.step_asked(kB);
    story.inside(kA);
    story.inside(kB);
    release(story, kA);
    release(story, kB);
    EXPECT_TRUE(story.proved().empty());
    EXPECT_EQ(verdict_on(story), Verdict::holds);
}

TEST(RunStory, who_is_gone_is_not_inside) {
    RunStory story = new_story();
    grant(story, kA);
    step(story, kA);
    story.crashed(kA);
    story.note(kA, Phase::inside, event::Fault{Hazard::crash});
    grant(story, kB);
    step(story, kB);
    EXPECT_FALSE(story.is_inside(kA));
    release(story, kB);
    EXPECT_EQ(verdict_on(story), Verdict::holds);
}

TEST(RunStory, says_what_the_first_of_two_was_told) {
    for (const Release outcome : {Release::yes, Release::not_ours, Release::unknown}) {
        RunStory story = new_story();
        grant(story, kA);
        grant(story, kB);
        step(story, kA);
        step(story, kB);
        story.release_asked(kA);
        story.released(kA, outcome, true);
        EXPECT_EQ(story.told().nothing, outcome == Release::yes ? 1U : 0U);
        EXPECT_EQ(story.told().not_ours, outcome == Release::not_ours ? 1U : 0U);
        EXPECT_EQ(story.told().error, outcome == Release::unknown ? 1U : 0U);
    }
}

/// B, whose grant came later, shows itself first.
TEST(RunStory, says_what_the_one_was_told_who_was_there_before) {
    RunStory story = new_story();
    grant(story, kA);
    grant(story, kB);
    step(story, kB);
    step(story, kA);
    story.told_lost(kA);
    story.release_asked(kB);
    story.released(kB, Release::yes, true);
    ASSERT_EQ(story.proved().size(), 1U);
    EXPECT_EQ(story.told().lost, 1U);
    EXPECT_EQ(story.told().nothing, 0U);
}

}  // namespace
}  // namespace locklab::run_story_test
