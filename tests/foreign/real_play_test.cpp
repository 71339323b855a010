// What searches find in virtual time, played again by processes as they are.

#include "harness/foreign/real_play.h"

#include <gtest/gtest.h>

#include <chrono>

#include "algorithms/registry.h"
#include "harness/foreign/play_drives.h"
#include "harness/foreign/virtual_play.h"
#include "tests/core/places.h"

namespace locklab::real_play_test {
namespace {

/// A machine that is busy with something else spoils many.
constexpr std::uint32_t kMostPlays = 20;
const auto kNeverStopped = [] { return false; };

class RealPlayTest : public ::testing::Test {
protected:
    explicit RealPlayTest(const char* lock = "set_nx_lua")
        : subject_(*algorithm_named(lock), built_program()) {
        spec_.ttl = subject_.usual_ttl();
        spec_.timeout = spec_.ttl / 5;
    }

    /// Of the first of many plays that is so.
    PlayScript script_of(Hazard hazard, bool proves) {
        spec_.faults[hazard] = 1;
        VirtualWorld world(subject_, spec_.clients);
        for (std::uint64_t play = 0; play < 200; ++play) {
            PctDrive drive(1, play, {2, 1, 40});
            const PlayResult made = play_virtually(world, subject_, spec_, drive, play);
            const bool struck = std::ranges::any_of(
                made.script, [&](const MadeMove& move) { return move.hazard == hazard; });
            if (struck && made.proved.empty() != proves) return made.script;
        }
        ADD_FAILURE() << "no play is so";
        return {};
    }

    Subject subject_;
    PlaySpec spec_;
};

TEST_F(RealPlayTest, what_a_pause_shows_in_virtual_time_it_shows_in_real_time) {
    const PlayScript script = script_of(Hazard::pause, true);
    const RealReplay replay = replay_really(subject_, spec_, script, kNeverStopped, kMostPlays);
    EXPECT_TRUE(replay.proved) << replay.missing << replay.trouble;
}

TEST_F(RealPlayTest, a_key_that_goes_is_missed_in_real_time_too) {
    const PlayScript script = script_of(Hazard::evict, true);
    const RealReplay replay = replay_really(subject_, spec_, script, kNeverStopped, kMostPlays);
    EXPECT_TRUE(replay.proved) << replay.missing << replay.trouble;
}

TEST_F(RealPlayTest, a_clock_that_jumps_jumps_in_real_time_too) {
    const PlayScript script = script_of(Hazard::server_clock_jump, true);
    const RealReplay replay = replay_really(subject_, spec_, script, kNeverStopped, kMostPlays);
    EXPECT_TRUE(replay.proved) << replay.missing << replay.trouble;
}

TEST_F(RealPlayTest, a_fault_that_never_can_strike_is_told) {
    MadeMove never;
    never.move = PlayMove::fault;
    never.hazard = Hazard::lose_reply;
    never.way = LinkWay::reply;
    never.word = "NOTHING";
    spec_.faults[Hazard::lose_reply] = 1;
    const RealReplay replay = replay_really(subject_, spec_, {never}, kNeverStopped, 1);
    EXPECT_EQ(replay.missing, "lose_reply");
    EXPECT_FALSE(replay.proved);
    EXPECT_EQ(replay.plays, 1U);
}

class PerfectRealPlayTest : public RealPlayTest {
protected:
    PerfectRealPlayTest() : RealPlayTest("perfect_lock") {}
};

TEST_F(PerfectRealPlayTest, is_never_accused) {
    const PlayScript script = script_of(Hazard::pause, false);
    const RealReplay replay = replay_really(subject_, spec_, script, kNeverStopped, 3);
    EXPECT_FALSE(replay.proved);
    EXPECT_EQ(replay.plays, 3U);
    EXPECT_EQ(replay.trouble, "");
}

TEST(RealReplay, a_driver_that_is_none_is_one_sentence) {
    Library library;
    library.name = library.library = "odd";
    library.run = {"bash", "-c", "echo oh no >&2; exit 3"};
    library.installed = "/";
    const Subject subject(library);
    PlaySpec spec;
    spec.ttl = subject.usual_ttl();
    const RealReplay replay = replay_really(subject, spec, {}, kNeverStopped);
    EXPECT_EQ(replay.trouble, "The driver of odd ended with code 3; it said last: oh no");
    EXPECT_FALSE(replay.proved);
}

}  // namespace
}  // namespace locklab::real_play_test
