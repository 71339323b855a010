// The claims matrix against a real Redis: for each hazard that live can make, a lock that it
// breaks and the successor that it does not. A hazard that breaks nothing is a failure, for it
// would be vacuous.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/campaign/campaign_spec.h"
#include "harness/campaign/live_batches.h"
#include "tests/algorithms/by_digest.h"
#include "tests/campaign/live_cells.h"

namespace locklab::live_claims_test {
namespace {

using enum Claimed;

struct Expected {
    const char* algorithm;
    Hazard hazard;
    Claimed claim;
};

/// What the table expects is what the rows claim.
std::vector<ClaimedCell> run_cells(const std::vector<Expected>& table) {
    std::vector<LiveClaim> claims;
    for (const Expected& expected : table) {
        const Algorithm& algorithm = *algorithm_named(expected.algorithm);
        const bool safe = algorithm.safe_under.contains(expected.hazard);
        EXPECT_NE(safe, algorithm.broken_by.contains(expected.hazard)) << expected.algorithm;
        EXPECT_EQ(safe, expected.claim == holds) << expected.algorithm;
        EXPECT_TRUE(is_made_in(FaultWorld::live, expected.hazard));
        FaultBudget budget;
        if (expected.hazard != Hazard::contention) budget[expected.hazard] = 1;
        claims.push_back({&algorithm, budget, expected.claim});
    }
    return run_claims(claims);
}

/// 001: the expiry frees the lock of a holder that crashed, if it comes with the key.
TEST(LiveClaimsTest, a_crash_locks_for_ever_what_does_not_expire) {
    const std::vector<ClaimedCell> cells = run_cells({
        {"setnx_del", Hazard::crash, breaks},
        {"setnx_expire", Hazard::crash, breaks},
        {"set_nx_del", Hazard::crash, holds},
        {"setnx_getset_objects", Hazard::crash, holds},
    });
    for (const ClaimedCell& cell : cells) {
        const Verdict verdict = cell.live.count.tally().verdict();
        EXPECT_TRUE(cell.claimed.claim == holds ? is_clean(verdict) : verdict == Verdict::stuck)
            << cell.name();
    }
}

TEST(LiveClaimsTest, each_successor_mends_what_its_article_names) {
    run_cells({
        // The price: what outlives its expiry is not protected. 004: a watchdog pays it...
        {"setnx_del", Hazard::slow_job, holds},
        {"set_nx_del", Hazard::slow_job, breaks},
        {"set_nx_lua", Hazard::slow_job, breaks},
        {"watchdog_unowned", Hazard::slow_job, holds},
        {"reentrant_watchdog", Hazard::slow_job, holds},
        // ...unless it is paused with its client, or starved.
        {"setnx_del", Hazard::pause, holds},
        {"set_nx_lua", Hazard::pause, breaks},
        {"watchdog_owned", Hazard::pause, breaks},
        {"watchdog_unowned", Hazard::stall, breaks},
        {"watchdog_owned", Hazard::stall, breaks},
        // An error ends the watchdog that does not ask whose the lock is, and no other.
        {"setnx_del", Hazard::lose_request, breaks},
        {"set_nx_del", Hazard::lose_request, holds},
        {"watchdog_unowned", Hazard::lose_request, breaks},
        {"watchdog_owned", Hazard::lose_request, holds},
        {"set_nx_lua", Hazard::lose_reply, holds},
        {"watchdog_unowned", Hazard::lose_reply, breaks},
        {"watchdog_owned", Hazard::lose_reply, holds},
        // 001: the token keeps a command that comes late or twice from another's lock.
        {"watchdog_unowned", Hazard::delay_request, breaks},
        {"watchdog_owned", Hazard::delay_request, holds},
        {"set_nx_lua", Hazard::delay_request, holds},
        // A lease begins when Redis runs the command, whenever its holder is told of that.
        {"setnx_del", Hazard::delay_reply, holds},
        {"setnx_expire", Hazard::delay_reply, breaks},
        {"setnx_timestamp_del", Hazard::delay_reply, breaks},
        {"setnx_getset_objects", Hazard::delay_reply, breaks},
        {"setnx_getset_epoch", Hazard::delay_reply, breaks},
        {"set_nx_del", Hazard::delay_reply, breaks},
        {"set_nx_lua", Hazard::delay_reply, breaks},
        {"watchdog_unowned", Hazard::delay_reply, breaks},
        {"watchdog_owned", Hazard::delay_reply, breaks},
        {"reentrant_watchdog", Hazard::delay_reply, breaks},
        {"setnx_del", Hazard::retry, breaks},
        {"set_nx_lua", Hazard::retry, holds},
        // 001: the server's TTL does not ask the clients' clocks.
        {"setnx_timestamp_del", Hazard::clock_offset, breaks},
        {"setnx_getset_objects", Hazard::clock_offset, breaks},
        {"set_nx_lua", Hazard::clock_offset, holds},
        {"setnx_getset_epoch", Hazard::clock_jump, breaks},
        {"set_nx_lua", Hazard::clock_jump, holds},
    });
}

/// Who is told at once goes on at once. An expiry frees what was left, a token keeps it apart, and
/// an error ends a watchdog, as any reply that is no number does.
TEST(LiveClaimsTest, an_error_or_a_reset_leaves_what_does_not_expire) {
    run_cells({
        {"setnx_del", Hazard::error_reply, breaks},
        {"set_nx_lua", Hazard::error_reply, holds},
        {"watchdog_unowned", Hazard::error_reply, breaks},
        {"watchdog_owned", Hazard::error_reply, holds},
        {"setnx_del", Hazard::reset, breaks},
        {"set_nx_lua", Hazard::reset, holds},
        {"watchdog_owned", Hazard::reset, holds},
    });
}

/// By itself, for it strikes all runs that are under way.
TEST(LiveClaimsTest, a_restart_breaks_what_lives_in_one_redis) {
    run_cells({
        {"setnx_getset_epoch", Hazard::restart, breaks},
        {"setnx_timestamp_del", Hazard::restart, breaks},
        {"perfect_lock", Hazard::restart, holds},
    });
}

/// A machine that is late has few runs under way at once.
TEST(LiveClaimsTest, a_fault_that_runs_share_strikes_them_all_however_few_run_at_once) {
    CampaignOptions options;
    options.world = WorldKind::live;
    options.budget[Hazard::restart] = 1;
    options.grants_per_run = 10;
    std::vector<LiveCell> cells;
    cells.emplace_back(spec_for(*algorithm_named("set_nx_lua"), options), 8);
    LiveBatches batches(cells, 1);
    ASSERT_EQ(batches.batches(), 1U);
    LiveServer server("", Watcher());
    RunsAtOnce at_once(4);
    LiveBatches::Result result = batches.run(0, server, at_once, [] {});
    EXPECT_EQ(result.trouble, "");
    std::uint64_t whole = 0;
    std::uint64_t struck = 0;
    for (const LiveBatches::Judged& run : result.runs) {
        if (run.disturbance) continue;
        ++whole;
        struck += run.report.strikes[static_cast<std::size_t>(Hazard::restart)] > 0 ? 1 : 0;
    }
    EXPECT_GE(3 * struck, 2 * whole) << "of " << whole << " that the machine did not disturb";
}

/// Locks whose scripts go out by their digests. What a row says of the lock is said of it, too.
TEST(LiveClaimsTest, a_lock_by_digests_does_as_its_row_says) {
    std::vector<LiveClaim> claims;
    for (const Algorithm& lock : locks_by_digest()) {
        // Cells here are of one server; simulator and search ask the others.
        if (lock.redis_servers > 1) continue;
        // Others than pauses break too few live runs.
        for (const Hazard hazard :
             {Hazard::contention, Hazard::lose_reply, Hazard::retry, Hazard::pause}) {
            const bool is_safe = lock.safe_under.contains(hazard);
            if (!is_safe && hazard != Hazard::pause) continue;
            FaultBudget budget;
            if (hazard != Hazard::contention) budget[hazard] = 1;
            claims.push_back({&lock, budget, is_safe ? holds : breaks});
        }
    }
    ASSERT_GT(claims.size(), 6U);
    run_claims(claims);
}

TEST(LiveControlsTest, no_lock_is_caught_by_every_oracle_and_perfect_lock_by_none) {
    const std::vector<ClaimedCell> cells = run_cells({
        {"no_lock", Hazard::contention, breaks},
        {"set_nx_lua", Hazard::contention, holds},
        {"perfect_lock", Hazard::contention, holds},
        {"perfect_lock", Hazard::slow_job, holds},
        {"perfect_lock", Hazard::crash, holds},
        {"perfect_lock", Hazard::pause, holds},
        {"perfect_lock", Hazard::clock_jump, holds},
    });
    for (const ClaimedCell& cell : cells) {
        SCOPED_TRACE(cell.name());
        const Tally& tally = cell.live.count.tally();
        const bool guilty = cell.claimed.claim == breaks;
        EXPECT_EQ(tally.overlaps() > 0, guilty);
        EXPECT_EQ(tally.lost_updates() > 0, guilty);
        EXPECT_EQ(tally.fence_inversions() > 0, guilty);
        EXPECT_EQ(tally.causes()[Cause::no_key] > 0, guilty);
    }
}

}  // namespace
}  // namespace locklab::live_claims_test
