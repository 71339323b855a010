#include "harness/check/judge.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::judge_test {
namespace {

/// As many as an old judge needed 12 GB for.
TEST(Judge, counts_all_of_fifty_million_overlaps_and_looks_into_the_first) {
    constexpr std::uint32_t kClients = 10'000;
    Story story("theirs");
    for (std::uint32_t client = 0; client < kClients; ++client) {
        story.at(client + 1).granted(client);
    }
    const Judgement found = judge(story.end(kClients + 1));
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.overlaps, std::uint64_t{kClients} * (kClients - 1) / 2);
    EXPECT_EQ(found.grants_in_overlap, kClients);
    EXPECT_EQ(found.violations.size(), kMostOverlaps);
    EXPECT_EQ(found.only_counted, found.overlaps - kMostOverlaps);
    EXPECT_EQ(found.causes[Cause::unexplained], kMostOverlaps);
}

TEST(Judge, a_write_after_the_overlaps_that_are_listed_is_only_counted) {
    constexpr std::uint32_t kClients = 200;
    Story story;
    for (std::uint32_t client = 0; client < kClients; ++client) {
        story.at(client + 1).granted(client);
        // Beside the first client, early and late.
        if (client == 1 || client == kClients - 1) {
            const std::uint64_t before = client == 1 ? 0 : 2;
            story.wrote(client, client + 1, before, before, before + 1);
            story.wrote(0, 1, before, before + 1, before + 2);
        }
    }
    const Judgement found = judge(story.end(kClients + 1));
    EXPECT_EQ(found.overlaps, kClients * (kClients - 1) / 2);
    EXPECT_EQ(found.lost_updates, 2U);
    EXPECT_EQ(found.fence_inversions, 2U);
    EXPECT_EQ(found.violations.size(), kMostOverlaps + 2);
    EXPECT_EQ(found.causes[Cause::stale_write], 0U);
    EXPECT_EQ(found.only_counted, found.overlaps - kMostOverlaps + 2);
}

TEST(Judge, a_history_without_events_proves_nothing) {
    EXPECT_EQ(judge(History()).verdict, Verdict::unknown);
}

}  // namespace
}  // namespace locklab::judge_test
