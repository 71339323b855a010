#include "harness/foreign/play_drives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace locklab::play_drives_test {
namespace {

PlayOption calm(std::uint32_t actor, bool early = false) {
    return {PlayMove::let_go, actor, 0, 0, {}, {}, early};
}
PlayOption fault() { return {PlayMove::fault, kFaultActor, 0, 0, Hazard::pause, Duration(1)}; }

std::vector<std::size_t> picks_of_drive(PlayDrive& drive, const std::vector<PlayOption>& options,
                                        int count) {
    std::vector<std::size_t> picks;
    for (int i = 0; i < count; ++i) picks.push_back(drive.choose(options));
    return picks;
}

TEST(RandomDrive, takes_each_and_a_fault_once_in_a_while_and_the_same_again) {
    const std::vector<PlayOption> options{calm(0), calm(1), fault()};
    RandomDrive drive(1, 2);
    RandomDrive same(1, 2);
    RandomDrive other(1, 3);
    const auto picks = picks_of_drive(drive, options, 400);
    EXPECT_EQ(std::set<std::size_t>(picks.begin(), picks.end()).size(), 3U);
    const auto faults = std::count(picks.begin(), picks.end(), 2U);
    EXPECT_GT(faults, 2);
    EXPECT_LT(faults, 60);
    EXPECT_EQ(picks_of_drive(same, options, 400), picks);
    EXPECT_NE(picks_of_drive(other, options, 400), picks);
}

TEST(PctDrive, keeps_to_one_until_its_priority_changes) {
    const std::vector<PlayOption> options{calm(0), calm(1), calm(2)};
    PctDrive steady(1, 1, {0, 0, 20});
    const auto picks = picks_of_drive(steady, options, 20);
    EXPECT_EQ(std::set<std::size_t>(picks.begin(), picks.end()).size(), 1U);
    std::set<std::size_t> first;
    int two = 0;
    for (std::uint64_t play = 0; play < 40; ++play) {
        PctDrive drive(1, play, {1, 0, 10});
        const auto changed = picks_of_drive(drive, options, 20);
        const std::size_t different = std::set<std::size_t>(changed.begin(), changed.end()).size();
        EXPECT_LE(different, 2U);
        two += different == 2 ? 1 : 0;
        first.insert(changed.front());
    }
    EXPECT_EQ(first.size(), 3U);
    EXPECT_GT(two, 20);
}

TEST(PctDrive, strikes_as_often_as_it_may) {
    const std::vector<PlayOption> options{calm(0), fault()};
    PctDrive drive(1, 1, {0, 2, 10});
    const auto picks = picks_of_drive(drive, options, 20);
    EXPECT_EQ(std::count(picks.begin(), picks.end(), 1U), 2);
}

TEST(RandomDrive, takes_what_is_early_once_in_a_while) {
    const std::vector<PlayOption> options{calm(0), calm(1, true)};
    RandomDrive drive(1, 2);
    const auto picks = picks_of_drive(drive, options, 400);
    EXPECT_GT(std::count(picks.begin(), picks.end(), 1U), 5);
    EXPECT_LT(std::count(picks.begin(), picks.end(), 1U), 80);
}

TEST(GivenDrive, is_calm_where_nothing_is_said_or_can_be_done) {
    const std::vector<PlayOption> options{calm(0), calm(1), calm(2)};
    GivenDrive drive({0, 2, 7});
    EXPECT_EQ(picks_of_drive(drive, options, 5), (std::vector<std::size_t>{0, 2, 0, 0, 0}));
}

}  // namespace
}  // namespace locklab::play_drives_test
