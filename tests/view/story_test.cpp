// The part of a run that shows its failure: for every lock and hazard, judged as the whole is.

#include "harness/view/story.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/core/random_choices.h"
#include "harness/explore/sim_run.h"
#include "harness/view/timeline.h"

namespace locklab::story_test {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRuns = 30;
constexpr std::uint64_t kFailures = 1;
#else
constexpr std::uint64_t kRuns = 60;
constexpr std::uint64_t kFailures = 5;
#endif

RunSpec spec_of(const Algorithm& algorithm, Hazard hazard) {
    LockOptions options = algorithm.defaults;
    FaultBudget budget;
    if (hazard != Hazard::contention) budget[hazard] = 1;
    return make_run_spec(algorithm, options, std::chrono::seconds(1), budget);
}

struct Told {
    std::uint64_t failures = 0;
    std::uint64_t stories = 0;
};

void expect_a_story_as_the_whole(const History& whole, Told& told) {
    const Judgement judgement = judge(whole);
    const std::optional<Scene> story = story_of(whole, judgement);
    if (judgement.verdict != Verdict::violated && judgement.verdict != Verdict::stuck) {
        EXPECT_FALSE(story) << "there is nothing to tell";
        return;
    }
    ++told.failures;
    if (!story) return;
    ++told.stories;
    EXPECT_LT(story->history.events.size(), whole.events.size());
    EXPECT_EQ(story->names.size(), story->history.clients);
    EXPECT_LE(story->history.clients, whole.clients);
    const Judgement shown = judge(story->history);
    if (judgement.violations.empty()) {
        EXPECT_TRUE(shown.liveness.stuck);
    } else {
        ASSERT_FALSE(shown.violations.empty());
        EXPECT_EQ(shown.violations[0].cause, judgement.violations[0].cause);
        EXPECT_EQ(story->names[shown.violations[0].client.value],
                  "client " + std::to_string(judgement.violations[0].client.value));
    }
    const Timeline picture = make_timeline(*story);
    EXPECT_TRUE(std::ranges::any_of(picture.rows, [](const TimelineRow& row) {
        return row.kind == TimelineRow::Kind::violation || row.kind == TimelineRow::Kind::stuck;
    }));
}

TEST(Story, of_nearly_every_failure_of_a_campaign_is_told_and_judged_as_the_whole_run) {
    Told all;
    for (const Algorithm& algorithm : algorithms()) {
        for (const HazardRow& row : kSimulatedHazards) {
            if (!algorithm.broken_by.contains(row.hazard)) continue;
            SCOPED_TRACE(std::string(algorithm.name) + " under " + std::string(row.name));
            SimRunner runner(spec_of(algorithm, row.hazard));
            Told told;
            for (std::uint64_t run = 0; run < kRuns && told.failures < kFailures; ++run) {
                expect_a_story_as_the_whole(runner.record(2026, run).history, told);
            }
            EXPECT_TRUE(told.failures == 0 || told.stories > 0);
            all.failures += told.failures;
            all.stories += told.stories;
        }
    }
    EXPECT_GT(all.failures, kFailures * 60);
    EXPECT_GE(all.stories * 100, all.failures * 95) << all.stories << " of " << all.failures;
}

}  // namespace
}  // namespace locklab::story_test
