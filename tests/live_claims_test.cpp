// The claims matrix against a real Redis: for each hazard that live can make, a lock that it
// breaks and the successor that it does not. A hazard that breaks nothing is a failure, for it
// would be vacuous; so are runs of which most were disturbed by a machine that was too slow.

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/campaign/live_campaign.h"
#include "harness/live/live_server.h"
#include "harness/suite/suite.h"

namespace locklab {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRunsThatHold = 5;
#else
constexpr std::uint64_t kRunsThatHold = 20;
#endif
/// Runs of a cell at a time. What is said to break is run again until it does.
constexpr std::uint64_t kRound = 30;
/// The rarest break looked for here comes in one run of 15: so many rounds miss it once in 10^9.
constexpr int kMostRounds = 10;

enum class Claim : std::uint8_t { holds, breaks };
using enum Claim;

struct Expected {
    const char* algorithm;
    Hazard hazard;
    Claim claim;
};

struct Cell {
    Expected expected;
    LiveCell live;
    std::uint64_t runs = 0;  ///< undisturbed ones, of all rounds
    std::uint64_t strikes = 0;
    bool decided = false;

    std::string name() const {
        return std::string(expected.algorithm) + " under " + std::string(name_of(expected.hazard));
    }
};

LiveCell fresh(const Expected& expected) {
    const Algorithm& algorithm = *algorithm_named(expected.algorithm);
    return LiveCell(spec_for(algorithm, suite_options(WorldKind::live, expected.hazard)), kRound);
}

/// Takes what a round showed of a cell, and tells whether that is enough.
void judge_round(Cell& cell, LiveCell round) {
    SCOPED_TRACE(cell.name());
    cell.live = std::move(round);
    const CampaignCount& count = cell.live.count;
    const Verdict seen = count.tally().verdict();
    cell.runs += count.tally().runs();
    cell.strikes += cell.expected.hazard == Hazard::contention
                        ? count.tally().runs()
                        : count.strikes(cell.expected.hazard);
    const bool broken = seen == Verdict::violated || seen == Verdict::stuck;
    EXPECT_FALSE(broken && cell.expected.claim == holds) << name_of(seen);
    EXPECT_EQ(cell.live.witness.has_value(), broken);
    const bool enough = cell.runs >= kRunsThatHold && cell.strikes > 0;
    cell.decided = broken || (cell.expected.claim == holds && enough);
}

/// Runs all cells together, in rounds, until each is decided; gives what the last rounds showed.
std::vector<Cell> run_cells(const std::vector<Expected>& table) {
    std::vector<Cell> cells;
    for (const Expected& expected : table) {
        const Algorithm& algorithm = *algorithm_named(expected.algorithm);
        const bool safe = algorithm.safe_under.contains(expected.hazard);
        EXPECT_NE(safe, algorithm.broken_by.contains(expected.hazard)) << expected.algorithm;
        EXPECT_EQ(safe, expected.claim == holds) << expected.algorithm;
        EXPECT_TRUE(row_of(expected.hazard).live);
        cells.push_back({expected, fresh(expected)});
    }
    LiveServer server("", Watcher());
    for (std::uint64_t round = 1; round <= kMostRounds; ++round) {
        std::vector<LiveCell> open;
        for (const Cell& cell : cells) {
            if (!cell.decided) open.push_back(fresh(cell.expected));
        }
        if (open.empty()) break;
        EXPECT_EQ(run_live_campaign(open, round, server, {}), "");
        std::size_t next = 0;
        for (Cell& cell : cells) {
            if (!cell.decided) judge_round(cell, std::move(open[next++]));
        }
    }
    for (const Cell& cell : cells) {
        const char* claimed = cell.expected.claim == holds ? "hold" : "break";
        EXPECT_TRUE(cell.decided) << cell.name() << " is said to " << claimed
                                  << ", and was not seen to in " << cell.runs << " runs with "
                                  << cell.strikes << " strikes; of the last " << kRound << ", "
                                  << cell.live.count.disturbed_runs() << " were disturbed";
    }
    return cells;
}

/// 001: the expiry frees the lock of a holder that crashed, if it comes with the key.
TEST(LiveClaimsTest, a_crash_locks_for_ever_what_does_not_expire) {
    const std::vector<Cell> cells = run_cells({
        {"setnx_del", Hazard::crash, breaks},
        {"setnx_expire", Hazard::crash, breaks},
        {"set_nx_del", Hazard::crash, holds},
        {"setnx_getset_objects", Hazard::crash, holds},
    });
    for (const Cell& cell : cells) {
        const Verdict verdict = cell.live.count.tally().verdict();
        EXPECT_EQ(verdict, cell.expected.claim == holds ? Verdict::holds : Verdict::stuck)
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

/// By itself, for it strikes all runs that are under way.
TEST(LiveClaimsTest, a_restart_breaks_what_lives_in_one_redis) {
    run_cells({
        {"setnx_getset_epoch", Hazard::restart, breaks},
        {"setnx_timestamp_del", Hazard::restart, breaks},
        {"perfect_lock", Hazard::restart, holds},
    });
}

TEST(LiveControlsTest, no_lock_is_caught_by_every_oracle_and_perfect_lock_by_none) {
    const std::vector<Cell> cells = run_cells({
        {"no_lock", Hazard::contention, breaks},
        {"set_nx_lua", Hazard::contention, holds},
        {"perfect_lock", Hazard::contention, holds},
        {"perfect_lock", Hazard::slow_job, holds},
        {"perfect_lock", Hazard::crash, holds},
        {"perfect_lock", Hazard::pause, holds},
        {"perfect_lock", Hazard::clock_jump, holds},
    });
    for (const Cell& cell : cells) {
        SCOPED_TRACE(cell.name());
        const Tally& tally = cell.live.count.tally();
        const bool guilty = cell.expected.claim == breaks;
        EXPECT_EQ(tally.overlaps() > 0, guilty);
        EXPECT_EQ(tally.lost_updates() > 0, guilty);
        EXPECT_EQ(tally.fence_inversions() > 0, guilty);
        EXPECT_EQ(tally.causes()[Cause::no_key] > 0, guilty);
    }
}

}  // namespace
}  // namespace locklab
