#include "harness/check/judge.h"

#include <gtest/gtest.h>

#include "tests/check/story.h"

namespace locklab::judge_test {
namespace {

using std::chrono::milliseconds;

TEST(Judge, accepts_a_calm_run) {
    const Judgement found = judge(Story()
                                      .wants(0)
                                      .wants(1)
                                      .at(1)
                                      .sets(0, "a", 100)
                                      .granted(0, "a", 100)
                                      .at(2)
                                      .wrote(0, 1, 0, 0, 1)
                                      .at(3)
                                      .leaving(0)
                                      .deletes(0)
                                      .released(0)
                                      .at(5)
                                      .sets(1, "b", 100)
                                      .granted(1, "b", 100)
                                      .at(6)
                                      .wrote(1, 2, 1, 1, 2)
                                      .leaving(1)
                                      .end(10, 100));
    EXPECT_EQ(found.verdict, Verdict::holds);
    EXPECT_TRUE(found.violations.empty());
    EXPECT_EQ(found.causes, CauseCounts());
    EXPECT_EQ(found.grants, 2U);
    EXPECT_EQ(found.client_grants, (std::vector<std::uint64_t>{1, 1}));
    EXPECT_EQ(found.waits, (std::vector<Duration>{milliseconds(1), milliseconds(5)}));
    EXPECT_EQ(found.duration, milliseconds(10));
}

TEST(Judge, rejects_an_overlap_and_counts_its_consequences_once) {
    const Judgement found = judge(Story()
                                      .wants(0)
                                      .wants(1)
                                      .sets(0, "a", 100)
                                      .granted(0, "a", 100)
                                      .at(101)
                                      .sets(1, "b", 100)
                                      .granted(1, "b", 100)
                                      .at(102)
                                      .wrote(1, 2, 0, 0, 1)
                                      .at(103)
                                      .wrote(0, 1, 0, 1, 2)
                                      .end());
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.overlaps, 1U);
    EXPECT_EQ(found.grants_in_overlap, 2U);
    EXPECT_EQ(found.lost_updates, 1U);
    EXPECT_EQ(found.fence_inversions, 1U);
    CauseCounts expected;
    expected[Cause::expired_while_held] = 1;
    EXPECT_EQ(found.causes, expected);
    ASSERT_EQ(found.violations.size(), 3U);
    EXPECT_EQ(found.violations[0].kind, Violation::Kind::overlap);
    EXPECT_EQ(found.violations[0].grant, 2U);
    EXPECT_EQ(found.violations[0].other, 1U);
    EXPECT_TRUE(found.violations[0].counts);
    EXPECT_EQ(found.violations[1].cause, Cause::expired_while_held);
    EXPECT_FALSE(found.violations[1].counts);
    EXPECT_FALSE(found.violations[2].counts);
}

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

TEST(Judge, rejects_a_stale_write_after_the_holder_left) {
    const Judgement found = judge(Story()
                                      .wants(0)
                                      .wants(1)
                                      .sets(0, "a", 100)
                                      .granted(0, "a", 100)
                                      .at(10)
                                      .leaving(0)
                                      .deletes(0)
                                      .at(20)
                                      .sets(1, "b", 100)
                                      .granted(1, "b", 100)
                                      .at(21)
                                      .wrote(1, 2, 0, 0, 1)
                                      .at(22)
                                      .wrote(0, 1, 1, 1, 2)
                                      .end());
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.overlaps, 0U);
    EXPECT_EQ(found.fence_inversions, 1U);
    EXPECT_EQ(found.causes[Cause::stale_write], 1U);
}

TEST(Judge, a_register_that_jumps_proves_nothing) {
    const auto judged = [](std::uint64_t previous, std::uint64_t version) {
        return judge(Story()
                         .granted(0)
                         .wrote(0, 1, 3, 3, 4)
                         .wrote(0, 1, previous, previous, version)
                         .leaving(0)
                         .end());
    };
    EXPECT_EQ(judged(4, 5).verdict, Verdict::holds);
    EXPECT_EQ(judged(4, 5).register_jumps, 0U);
    for (const auto& [previous, version] : {std::pair{7, 8}, {4, 9}, {4, 4}, {3, 4}}) {
        const Judgement found =
            judged(static_cast<std::uint64_t>(previous), static_cast<std::uint64_t>(version));
        EXPECT_EQ(found.verdict, Verdict::unknown) << previous << " " << version;
        EXPECT_EQ(found.register_jumps, 1U);
        EXPECT_EQ(found.first_jump->event, 2U);
    }
}

TEST(Judge, rejects_a_lost_update_alone) {
    const Judgement found = judge(
        Story().granted(0).leaving(0).wrote(0, 1, 0, 0, 1).granted(1).wrote(1, 2, 0, 1, 2).end());
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.causes[Cause::stale_write], 1U);
}

TEST(Judge, a_write_takes_the_cause_of_the_overlap_with_its_victim) {
    // Grant 2 overlaps with 1, which expired, and with 3, which followed its deletion.
    const Judgement found = judge(Story()
                                      .wants(0)
                                      .wants(1)
                                      .wants(2)
                                      .sets(0, "a", 100)
                                      .granted(0, "a", 100)
                                      .at(101)
                                      .sets(1, "b", 100)
                                      .granted(1, "b", 100)
                                      .at(102)
                                      .leaving(0)
                                      .deletes(0)
                                      .at(103)
                                      .sets(2, "c", 100)
                                      .granted(2, "c", 100)
                                      .at(104)
                                      .wrote(0, 1, 0, 0, 1)
                                      .at(105)
                                      .wrote(1, 2, 0, 1, 2)
                                      .at(106)
                                      .wrote(2, 3, 0, 2, 3)
                                      .end());
    ASSERT_EQ(found.violations.size(), 4U);
    EXPECT_EQ(found.violations[2].grant, 2U);
    EXPECT_EQ(found.violations[2].cause, Cause::expired_while_held);
    EXPECT_EQ(found.violations[3].grant, 3U);
    EXPECT_EQ(found.violations[3].cause, Cause::foreign_delete);
}

TEST(Judge, an_overlap_after_the_write_does_not_explain_it) {
    const Judgement found = judge(
        Story().wants(0).wants(1).granted(0).at(1).wrote(0, 1, 7, 0, 1).at(2).granted(1).end());
    EXPECT_EQ(found.causes[Cause::stale_write], 1U);
    EXPECT_EQ(found.causes[Cause::no_key], 1U);
}

TEST(Judge, violated_wins_over_stuck) {
    Story story;
    story.wants(0).wants(1).wants(2).granted(0).granted(1).at(2).crash(0).crash(1);
    const Judgement found = judge(story.end(1000, 100));
    EXPECT_TRUE(found.liveness.stuck);
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.client_lived, (std::vector<std::uint8_t>{0, 0, 1}));
}

TEST(Judge, stuck_is_a_verdict_without_any_grant) {
    EXPECT_EQ(judge(Story().wants(0).end(1000, 100)).verdict, Verdict::stuck);
}

TEST(Judge, a_run_without_grants_proves_nothing) {
    EXPECT_EQ(judge(Story().wants(0).end(1000)).verdict, Verdict::unknown);
    EXPECT_EQ(judge(History()).verdict, Verdict::unknown);
}

TEST(Judge, counts_commands_to_servers_and_unknown_answers) {
    const Judgement found = judge(Story()
                                      .wants(0)
                                      .sent(0, Phase::acquire, 1, Command::of("SET", "k", "a"))
                                      .replied(0, 1, Reply::unknown())
                                      .sent(0, Phase::acquire, 2, Command::of("SET", "k", "a"))
                                      .replied(0, 2, Reply::ok())
                                      .sent(0, Phase::inside, 3, Command::of("READ"), kOracle)
                                      .end());
    EXPECT_EQ(found.commands, 2U);
    EXPECT_EQ(found.unknown_answers, 1U);
}

TEST(Judge, a_grant_that_nobody_is_told_to_want_has_no_wait) {
    const Judgement found =
        judge(Story("theirs").wants(0).at(5).granted(0).leaving(0).at(9).granted(0).end());
    EXPECT_EQ(found.waits, std::vector<Duration>{milliseconds(5)});
}

TEST(Judge, clients_that_never_appear_are_counted) {
    History history = Story().granted(0).end();
    history.clients = 3;
    EXPECT_EQ(judge(history).client_grants, (std::vector<std::uint64_t>{1, 0, 0}));
}

}  // namespace
}  // namespace locklab::judge_test
