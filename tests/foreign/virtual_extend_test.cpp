// Callers who extend their grants by hand, in plays of driver processes.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/check/judge.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/real_play.h"
#include "harness/foreign/virtual_search.h"
#include "tests/foreign/extended_library.h"
#include "tests/foreign/short_spec.h"

namespace locklab::virtual_extend_test {
namespace {

PlaySpec spec_of(const Subject& subject, Hazard hazard = kNoFault) {
    FaultBudget faults;
    if (hazard != kNoFault) faults[hazard] = 1;
    return play_of(subject, faults, 1);
}

/// Random plays with their commands.
template <class Look>
void in_plays(const Subject& subject, const PlaySpec& spec, std::uint64_t plays, Look look) {
    VirtualWorld world(subject, spec.clients);
    for (std::uint64_t play = 0; play < plays; ++play) {
        RandomDrive drive(1, play);
        look(play_virtually(world, subject, spec, drive, play, PlayDetail::commands));
    }
}

VirtualSearchResult search(const Subject& subject, Hazard hazard) {
    return search_virtually(subject, spec_of(subject, hazard), {PlayOrder::pct, 400, 2, 1}, {});
}

/// Commands that extended their client's own key, and those that found it gone.
struct Extensions {
    std::size_t made = 0;
    std::size_t refused = 0;

    void add(const History& history) {
        for (const Event& event : history.events) {
            const auto* ran = std::get_if<event::Executed>(&event.detail);
            if (ran == nullptr || event.phase != Phase::background) continue;
            ++(ran->effect.kind == KeyEffect::Kind::extended ? made : refused);
        }
    }
};

TEST(VirtualExtend, a_job_that_outlasts_its_ttl_is_held_by_who_extends) {
    const Library library = by_hand(kHonest);
    const Subject subject(library);
    const PlaySpec spec = spec_of(subject);
    EXPECT_GT(spec.job_percent, 100);
    Extensions seen;
    in_plays(subject, spec, 40, [&](const PlayResult& play) {
        EXPECT_TRUE(play.is_whole);
        EXPECT_TRUE(play.proved.empty());
        const Judgement judgement = judge(play.history);
        EXPECT_EQ(judgement.overlaps, 0U);
        EXPECT_EQ(judgement.notices.losses, 0U);
        seen.add(play.history);
    });
    EXPECT_GT(seen.made, 40U);
    EXPECT_EQ(seen.refused, 0U);

    Library left_alone = by_hand(kHonest);
    left_alone.extended_by_hand = false;
    const Subject other(left_alone);
    VirtualWorld world(other, spec.clients);
    RandomDrive drive(1, 1);
    std::size_t proved = 0;
    for (std::uint64_t play = 0; play < 20; ++play) {
        proved += play_virtually(world, other, spec, drive, play).proved.size();
    }
    EXPECT_GT(proved, 0U) << "without extensions such a job outlasts its lease";
}

/// A refusal is a word of the loss, and no false alarm.
TEST(VirtualExtend, who_is_not_given_more_goes_out) {
    const Library library = by_hand(kHonest);
    const Subject subject(library);
    Extensions seen;
    std::size_t told = 0;
    in_plays(subject, spec_of(subject, Hazard::evict), 60, [&](const PlayResult& play) {
        for (const Event& event : play.history.events) {
            if (std::holds_alternative<event::Lost>(event.detail)) ++told;
        }
        EXPECT_EQ(judge(play.history).notices.false_alarms, 0U);
        seen.add(play.history);
    });
    EXPECT_GT(seen.refused, 5U);
    EXPECT_EQ(told, seen.refused);
}

/// It is not told that the lock is lost, which it may not be.
TEST(VirtualExtend, who_is_not_answered_goes_out_in_time) {
    const Library library = by_hand(kHonest);
    const Subject subject(library);
    const auto result = search(subject, Hazard::lose_request);
    EXPECT_FALSE(result.find);
    EXPECT_GT(result.struck[static_cast<std::size_t>(Hazard::lose_request)], 50U);
    EXPECT_EQ(result.oracles.of(Oracle::false_alarms).count.found, 0U);
}

TEST(VirtualExtend, who_takes_no_answer_for_a_good_one_is_found) {
    const Library library = by_hand(kHopeful);
    const Subject subject(library);
    const auto result = search(subject, Hazard::lose_request);
    ASSERT_TRUE(result.find);
    EXPECT_TRUE(result.find->came_again);
    const Judgement judgement = judge(result.find->play.history);
    ASSERT_FALSE(judgement.violations.empty());
    EXPECT_EQ(judgement.violations.front().cause, Cause::expired_while_held);
    const auto& script = result.find->play.script;
    EXPECT_TRUE(std::ranges::any_of(
        script, [](const MadeMove& made) { return made.move == PlayMove::extend; }));
    const RealReplay real = replay_really(
        subject, spec_of(subject, Hazard::lose_request), script, [] { return false; }, 20);
    EXPECT_TRUE(real.proved) << real.missing << real.trouble;
}

}  // namespace
}  // namespace locklab::virtual_extend_test
