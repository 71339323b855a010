#include "harness/explore/thresholds.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/search_bounds.h"

namespace locklab {
namespace {

Thresholds thresholds(const char* algorithm, Goal goal, std::uint32_t most_faults,
                      const std::atomic<bool>& stop = kGoOn) {
    const Algorithm& lock = *algorithm_named(algorithm);
    Bounds bounds = bounds_for(lock);
    bounds.clients = 2;
    bounds.leaves = 1;
    bounds.job = std::chrono::milliseconds(300);  // within a lease, also of a lock that renews
    SearchLimits limits;
    limits.goal = goal;
    return find_thresholds(lock, {bounds}, most_faults, limits, stop, [](const SearchProgress&) {});
}

std::map<std::string, std::optional<Duration>> minimal(const Thresholds& found) {
    std::map<std::string, std::optional<Duration>> sets;
    for (const Threshold& threshold : found.minimal) {
        sets[to_string(threshold.faults)] = threshold.least;
    }
    return sets;
}

using std::chrono::milliseconds;

TEST(Thresholds, ofALeaseAreWhatOutlastsIt) {
    const Thresholds found = thresholds("set_nx_lua", Goal::exclusion, 1);
    // The TTL is 1200 ms, and a key expires strictly after it. A pause at the end of a job of 300
    // ms needs 300 ms less, and so do a server's clock and a reply before a job.
    const std::map<std::string, std::optional<Duration>> expected{
        {"slow_job=1", milliseconds(1201)},
        {"pause=1", milliseconds(901)},
        {"server_clock_jump=1", milliseconds(901)},
        {"delay_reply=1", milliseconds(901)},
        {"restart=1", std::nullopt},
        {"restart_snapshot=1", std::nullopt},
        {"evict=1", std::nullopt}};
    EXPECT_EQ(minimal(found), expected);
    EXPECT_EQ(found.harmless.size(), 8U);  // none, crash, and what befalls messages and clocks
    EXPECT_TRUE(found.unknown.empty());
    EXPECT_TRUE(found.complete);
}

TEST(Thresholds, theLeastAmountMayTakeMoreSteps) {
    const Thresholds found = thresholds("set_nx_lua", Goal::exclusion, 1);
    for (const Threshold& threshold : found.minimal) {
        if (!threshold.least) continue;
        // A server's clock that jumps by the whole TTL, and a reply that is as late, need no job
        // that goes on beside them.
        const bool alone = threshold.faults[Hazard::server_clock_jump] > 0 ||
                           threshold.faults[Hazard::delay_reply] > 0;
        EXPECT_EQ(threshold.least_steps, threshold.witness.steps.size() + (alone ? 1 : 0))
            << to_string(threshold.faults);
    }
}

TEST(Thresholds, ofProgressAreWhatLeavesAKeyForEver) {
    EXPECT_TRUE(thresholds("set_nx_lua", Goal::progress, 1).minimal.empty());
    const auto sets = minimal(thresholds("setnx_expire", Goal::progress, 1));
    EXPECT_TRUE(sets.contains("crash=1"));
    EXPECT_TRUE(sets.contains("lose_reply=1"));
    EXPECT_FALSE(sets.contains("pause=1"));
}

TEST(Thresholds, aSetIsMinimalOnlyIfNoPartOfItBreaksTheLock) {
    const Thresholds found = thresholds("watchdog_owned", Goal::exclusion, 2);
    const auto sets = minimal(found);
    // Without a job that outlives the lease there is nothing for the watchdog to do.
    EXPECT_TRUE(sets.contains("slow_job=1,stall=1")) << "only " << sets.size();
    EXPECT_TRUE(sets.contains("pause=1"));
    for (const auto& [set, least] : sets) {
        EXPECT_TRUE(set == "pause=1" || set.find("pause=1") == std::string::npos) << set;
    }
    EXPECT_FALSE(sets.contains("stall=1"));
    EXPECT_FALSE(sets.contains("lose_reply=1,slow_job=1"));
}

TEST(Thresholds, theCanaryNeedsNoFaultAndTheOracleStandsAll) {
    const auto canary = minimal(thresholds("no_lock", Goal::exclusion, 1));
    ASSERT_EQ(canary.size(), 1U);
    EXPECT_TRUE(canary.contains("none"));
    EXPECT_TRUE(thresholds("perfect_lock", Goal::exclusion, 2).minimal.empty());
    EXPECT_TRUE(thresholds("perfect_lock", Goal::progress, 2).minimal.empty());
}

TEST(Thresholds, whatCouldNotBeSearchedIsNotHarmless) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    SearchLimits limits;
    limits.memory = 1;
    const Thresholds found = find_thresholds(lock, {bounds_with(lock, "none")}, 1, limits, kGoOn,
                                             [](const SearchProgress&) {});
    EXPECT_TRUE(found.minimal.empty());
    EXPECT_TRUE(found.harmless.empty());
    EXPECT_EQ(found.unknown.size(), 15U);
}

TEST(Thresholds, noAmountIsTheLeastWhereASmallerOneIsNotKnown) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "none", 3);
    Bounds shorter = bounds_with(lock, "pause=1", 3);
    SearchLimits limits;
    limits.goal = Goal::exclusion;
    limits.memory = search(lock, shorter).memory;
    shorter.pause = milliseconds(100);
    ASSERT_GT(search(lock, shorter).memory, limits.memory);
    const Thresholds found =
        find_thresholds(lock, {bounds}, 1, limits, kGoOn, [](const SearchProgress&) {});
    const auto sets = minimal(found);
    ASSERT_TRUE(sets.contains("pause=1"));
    EXPECT_FALSE(sets.at("pause=1").has_value());
}

TEST(Thresholds, whatWasInterruptedIsNotComplete) {
    const std::atomic<bool> stop{true};
    const Thresholds found = thresholds("set_nx_lua", Goal::exclusion, 1, stop);
    EXPECT_FALSE(found.complete);
    EXPECT_TRUE(found.harmless.empty());
}

}  // namespace
}  // namespace locklab
