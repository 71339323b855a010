// The claims matrix, every algorithm x hazard, both directions: what must hold holds, and what
// must break breaks. A must-break that no run breaks is a failure: the hazard would be vacuous.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/core/random_choices.h"
#include "harness/explore/sim_campaign.h"

namespace locklab::claims_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRunsThatHold = 30;
constexpr std::uint64_t kOracleGrants = 20'000;
#else
constexpr std::uint64_t kRunsThatHold = 600;
constexpr std::uint64_t kOracleGrants = 1'000'000;
#endif
/// A race that needs luck is looked for in so many runs, a batch at a time.
constexpr std::uint64_t kRunsToBreak = 6'000;
constexpr std::uint64_t kBatch = 64;

const StopFlag kNeverStop{false};

/// As the suite runs it: a TTL of 1 s, so that all are struck alike.
RunSpec spec_of(const Algorithm& algorithm, Hazard hazard) {
    LockOptions options = with_ttl(algorithm.defaults, seconds(1));
    options.retry = milliseconds(10);
    FaultBudget budget;
    if (hazard != Hazard::contention) budget[hazard] = 1;
    return make_run_spec(algorithm, options, seconds(1), budget);
}

struct Cell {
    const Algorithm* algorithm;
    Hazard hazard;
};

/// With the command that shows the same from outside.
std::ostream& operator<<(std::ostream& out, const Cell& cell) {
    const std::string faults = std::string(name_of(cell.hazard)) + "=1";
    return out << cell.algorithm->name << " under " << name_of(cell.hazard) << ": locklab campaign "
               << cell.algorithm->name << " --faults "
               << (cell.hazard == Hazard::contention ? "none" : faults) << " --seed 2026";
}

std::vector<Cell> cells() {
    std::vector<Cell> all;
    for (const Algorithm* algorithm : every_algorithm()) {
        for (const HazardRow& row : kSimulatedHazards) all.push_back({algorithm, row.hazard});
    }
    return all;
}

class ClaimsTest : public testing::TestWithParam<Cell> {};

TEST_P(ClaimsTest, holds_as_claimed) {
    const auto [algorithm, hazard] = GetParam();
    const bool safe = algorithm->safe_under.contains(hazard);
    const bool broken = algorithm->broken_by.contains(hazard);
    ASSERT_NE(applies(*algorithm, hazard), !safe && !broken)
        << "every hazard that can strike a lock is claimed, one way or the other, and no other";
    EXPECT_FALSE(safe && broken);
    const bool rarely = algorithm->rarely_broken_by.contains(hazard);
    EXPECT_TRUE(broken || !rarely);
    if (rarely || (!safe && !broken)) return;  // only a search shows it
    const RunSpec spec = spec_of(*algorithm, hazard);
    if (safe) {
        // A run on three servers takes several times as long.
        const std::uint64_t runs = algorithm->redis_servers > 1 ? kRunsThatHold / 4 : kRunsThatHold;
        const CampaignGoal goal{.seed = 2026, .grants = ~std::uint64_t{0}, .most_runs = runs};
        const CampaignCount count = run_sim_campaign(spec, goal, kNeverStop, {});
        EXPECT_TRUE(is_clean(count.verdict()))
            << count.why_unknown() << " run " << count.witness().value_or(0);
        return;
    }
    std::uint64_t runs = 0;
    for (std::uint64_t seed = 1; runs < kRunsToBreak; ++seed) {
        const CampaignGoal goal{.seed = seed, .grants = ~std::uint64_t{0}, .most_runs = kBatch};
        const CampaignCount count = run_sim_campaign(spec, goal, kNeverStop, {});
        const Verdict verdict = count.verdict();
        if (verdict == Verdict::violated || verdict == Verdict::stuck) return;
        runs += count.tally().runs();
    }
    FAIL() << "is said to break, and held in " << runs << " runs";
}

INSTANTIATE_TEST_SUITE_P(EveryCell, ClaimsTest, testing::ValuesIn(cells()), [](const auto& cell) {
    return std::string(cell.param.algorithm->name) + "_under_" +
           std::string(name_of(cell.param.hazard));
});

/// Tasks of a client share what makes their lock objects, and each has its own.
TEST(NewEachTry, is_one_lock_object_for_each_task) {
    for (const char* name : {"redlock", "redlock_extending"}) {
        RunSpec spec = spec_of(*algorithm_named(name), Hazard::contention);
        spec.tasks = 2;
        const CampaignGoal goal{.seed = 3, .grants = ~std::uint64_t{0}, .most_runs = 20};
        const CampaignCount count = run_sim_campaign(spec, goal, kNeverStop, {});
        EXPECT_TRUE(is_clean(count.verdict())) << name << ": " << count.why_unknown();
        EXPECT_GT(count.tally().grants(), 100U) << name;
    }
}

TEST(ControlsTest, no_lock_is_caught_by_every_oracle) {
    const RunSpec spec = spec_of(*algorithm_named("no_lock"), Hazard::contention);
    const CampaignCount count = run_sim_campaign(spec, {.seed = 1, .grants = 1000}, kNeverStop, {});
    EXPECT_GT(count.tally().overlaps(), 0U);
    EXPECT_GT(count.tally().lost_updates(), 0U);
    EXPECT_GT(count.tally().fence_inversions(), 0U);
    EXPECT_GT(count.tally().causes()[Cause::no_key], 0U);
}

/// Every fault at once, and still never: what the checkers find elsewhere is not their own.
TEST(ControlsTest, perfect_lock_is_never_accused) {
    RunSpec spec = spec_of(*algorithm_named("perfect_lock"), Hazard::contention);
    for (const HazardRow& row : kSimulatedHazards) {
        if (row.hazard != Hazard::contention) spec.budget[row.hazard] = 1;
    }
    spec.topology = topology_for(*spec.algorithm, {}, spec.budget);
    spec.grants = 200;
    const CampaignGoal goal{.seed = 7, .grants = kOracleGrants, .most_runs = kOracleGrants};
    const CampaignCount count = run_sim_campaign(spec, goal, kNeverStop, {});
    EXPECT_EQ(count.tally().verdict(), Verdict::holds);
    EXPECT_GE(count.tally().grants(), kOracleGrants);
    EXPECT_EQ(count.tally().violated_runs() + count.tally().stuck_runs(), 0U);
}

/// A successor fixes what its article says it fixes, and what is left is said too.
TEST(SuccessorsTest, each_article_mends_what_it_names) {
    const auto safe = [](const char* name, Hazard hazard) {
        return algorithm_named(name)->safe_under.contains(hazard);
    };
    // 001: an expiry frees the lock of a holder that crashed, if it comes with the key.
    EXPECT_FALSE(safe("setnx_del", Hazard::crash));
    EXPECT_FALSE(safe("setnx_expire", Hazard::crash));
    EXPECT_TRUE(safe("set_nx_del", Hazard::crash));
    // 000, 002: GETSET lets one of those in who saw the deadline past.
    EXPECT_FALSE(safe("setnx_timestamp_del", Hazard::crash));
    EXPECT_TRUE(safe("setnx_getset_objects", Hazard::crash));
    EXPECT_TRUE(safe("setnx_getset_epoch", Hazard::crash));
    // 001: the token keeps a DEL that comes late or twice from freeing another's lock.
    for (const Hazard hazard : {Hazard::delay_request, Hazard::retry}) {
        EXPECT_FALSE(safe("set_nx_del", hazard));
        EXPECT_TRUE(safe("set_nx_lua", hazard));
    }
    // 001: the server's TTL does not ask the clients' clocks.
    for (const Hazard hazard : {Hazard::clock_offset, Hazard::clock_jump}) {
        EXPECT_FALSE(safe("setnx_getset_objects", hazard));
        EXPECT_TRUE(safe("set_nx_lua", hazard));
    }
    // 004: the watchdog outlasts a slow job, and its successor an error.
    EXPECT_FALSE(safe("set_nx_lua", Hazard::slow_job));
    EXPECT_TRUE(safe("watchdog_unowned", Hazard::slow_job));
    EXPECT_FALSE(safe("watchdog_unowned", Hazard::lose_request));
    EXPECT_TRUE(safe("watchdog_owned", Hazard::lose_request));
}

}  // namespace
}  // namespace locklab::claims_test
