// The rules in their two forms, moves of a cluster and tables, count the same schedules; and what
// is computed of the graph is what a walk over it meets.

#include "harness/explore/state_graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/explore/every_schedule.h"
#include "harness/explore/random_search.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/two_counts.h"
#include "tests/explore/written_lock.h"

namespace locklab::state_graph_test {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;

struct Case {
    const char* algorithm;
    const char* faults;
    std::uint32_t clients;
    std::uint32_t attempts;
    double schedules;  ///< what both engines found; the first few were also listed by hand
    bool any_length = true;
    bool long_jobs = false;    ///< those of locks that renew
    std::uint32_t leaves = 0;  ///< clients that may leave without a release
    std::uint32_t rounds = 1;
};

Bounds bounds_of(const Case& c) {
    Bounds bounds =
        bounds_with(*algorithm_named(c.algorithm), c.faults, c.clients, c.rounds, c.attempts);
    bounds.any_length = c.any_length;
    bounds.leaves = c.leaves;
    if (c.long_jobs) return bounds;
    // Schedules of jobs that outlive a lease are too many to be made one by one.
    const Bounds others = bounds_for(*algorithm_named("set_nx_lua"));
    bounds.job = others.job;
    bounds.wait = others.wait;
    bounds.command_timeout = others.command_timeout;
    return bounds;
}

Odds odds_for(const Case& c, bool symmetry, const Path& path = Path()) {
    const Algorithm& lock = *algorithm_named(c.algorithm);
    Bounds bounds = bounds_of(c);
    bounds.symmetry = symmetry;
    return odds_of(lock, bounds, path, kMemory, kGoOn);
}

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.algorithm << " under " << c.faults << ", " << c.clients << " clients, " << c.attempts
         << " attempts" << (c.long_jobs ? ", long jobs" : "") << (c.leaves > 0 ? ", leaves" : "")
         << (c.rounds > 1 ? ", rounds" : "");
}

class EverySchedule : public testing::TestWithParam<Case> {};

TEST_P(EverySchedule, are_as_many_as_paths_in_the_graph) {
    const Case& c = GetParam();
    const Algorithm& lock = *algorithm_named(c.algorithm);
    const Bounds bounds = bounds_of(c);
    const Schedules plain = every_schedule(lock, bounds, 1'000'000, kGoOn, [](std::uint64_t) {});
    EXPECT_EQ(static_cast<double>(plain.count), c.schedules);
    expect_the_same_of_tables(lock, bounds, plain);
}

/// Jobs and faults end at any time up to their length.
std::vector<Case> cases_of_any_length() {
    std::vector<Case> all{
        // start, SET, its reply, the job's end (at once, or when its time is over), release, its
        // reply.
        Case{"set_nx_lua", "none", 1, 1, 2},
        // The same, or a crash after any step of either but the last; the first three are common.
        Case{"set_nx_lua", "crash=1", 1, 1, 10},
        // A is inside. B too (violated); or A goes at once, or time passes first, and then B too
        // (violated) or A goes; if A went, B works alone, for a while or not. The same with B
        // first.
        Case{"no_lock", "none", 2, 1, 12}, Case{"set_nx_lua", "none", 2, 1, 302},
        Case{"set_nx_lua", "none", 2, 2, 3316}, Case{"set_nx_lua", "none", 3, 1, 185472},
        Case{"set_nx_lua", "crash=1", 2, 1, 1578}, Case{"set_nx_lua", "pause=1", 2, 1, 14778},
        Case{"set_nx_lua", "slow_job=1", 2, 1, 1110},
        Case{"set_nx_lua", "lose_request=1", 2, 1, 796},
        // A job ends in two ways, so 2 without a fault, 1 with the SET struck, 2 with the release;
        // a
        // reset comes before or after the command runs.
        Case{"set_nx_lua", "error_reply=1", 1, 1, 5},
        Case{"set_nx_lua", "error_reply=1", 2, 1, 918}, Case{"set_nx_lua", "reset=1", 1, 1, 8},
        Case{"set_nx_lua", "reset=1", 2, 1, 1604},
        Case{"set_nx_lua", "error_reply=1,restart=1", 1, 1, 33},
        Case{"set_nx_lua", "freeze=1,reset=1", 1, 1, 187},
        Case{"watchdog_owned", "error_reply=1,reset=1", 1, 1, 470, true, true},
        // 2 without a fault. Whatever a partition strikes, before or after it runs, its client
        // gives up: the partition ends before that time comes, or before the client acts, or later.
        // That is 6 with the SET struck, and 12 with the release.
        Case{"set_nx_lua", "partition=1", 1, 1, 20}, Case{"set_nx_lua", "partition=1", 2, 1, 4792},
        Case{"set_nx_lua", "partition=2", 1, 1, 20},
        Case{"set_nx_lua", "freeze=1,partition=1", 1, 1, 697},
        Case{"set_nx_lua", "partition=1,retry=1", 1, 1, 41},
        Case{"watchdog_owned", "partition=1", 1, 1, 1743, true, true},
        Case{"watchdog_unowned", "partition=1", 1, 1, 345, true, true},
        Case{"set_nx_lua", "lose_reply=1", 2, 1, 866}, Case{"set_nx_lua", "retry=1", 2, 1, 2078},
        Case{"set_nx_lua", "delay_request=1", 2, 1, 4964},
        // A reply that is late may come at any time, and at the latest when it is due.
        Case{"set_nx_lua", "delay_reply=1", 1, 1, 12},
        Case{"set_nx_lua", "delay_reply=1", 2, 1, 3122},
        Case{"setnx_expire", "delay_reply=1", 2, 1, 8632},
        Case{"setnx_getset_epoch", "delay_reply=1", 2, 1, 5368},
        Case{"set_nx_lua", "delay_reply=1,pause=1", 1, 1, 180},
        Case{"set_nx_lua", "delay_reply=1,restart=1", 1, 1, 86},
        Case{"set_nx_lua", "delay_reply=1,lose_reply=1", 2, 1, 6860},
        Case{"set_nx_lua", "delay_reply=1,slow_job=1", 1, 1, 28},
        Case{"watchdog_unowned", "delay_reply=1", 1, 1, 193, true, true},
        Case{"reentrant_watchdog", "delay_reply=2", 1, 1, 488, true, true},
        Case{"set_nx_lua", "restart=1", 2, 1, 4076}, Case{"set_nx_lua", "evict=1", 2, 1, 3818},
        // Where the lock is the only key, all keys are that one.
        Case{"set_nx_lua", "flush=1", 2, 1, 3818},
        Case{"set_nx_lua", "server_clock_jump=1", 2, 1, 5846},
        // A request that comes while the server hangs waits there, in the order of arrival.
        Case{"set_nx_lua", "freeze=1", 1, 1, 79}, Case{"set_nx_lua", "freeze=1", 2, 1, 21318},
        Case{"set_nx_lua", "freeze=1,restart=1", 1, 1, 516},
        Case{"set_nx_lua", "delay_request=1,freeze=1", 1, 1, 862},
        Case{"set_nx_lua", "delay_request=1,restart=1", 2, 1, 66100},
        Case{"set_nx_lua", "restart_snapshot=1", 2, 1, 16160},
        Case{"setnx_getset_epoch", "restart_snapshot=1", 2, 1, 37926},
        Case{"reentrant_watchdog", "restart_snapshot=2", 1, 1, 313},
        Case{"setnx_getset_epoch", "none", 2, 1, 752},
        Case{"setnx_getset_epoch", "pause=1", 2, 1, 29834},
        Case{"setnx_getset_epoch", "clock_jump=1", 2, 1, 41540},
        Case{"setnx_timestamp_del", "clock_offset=1", 2, 1, 24904},
        Case{"setnx_expire", "lose_reply=1", 2, 1, 2194},
        Case{"perfect_lock", "crash=1", 2, 1, 1598}, Case{"watchdog_owned", "stall=1", 1, 1, 15},
        Case{"watchdog_owned", "slow_job=1,stall=1", 1, 1, 683},
        Case{"watchdog_unowned", "crash=1", 2, 1, 50316},
        Case{"reentrant_watchdog", "delay_request=1", 2, 1, 4964},
        // With renewals, and requests whose task is cancelled after they have left.
        Case{"watchdog_owned", "none", 1, 1, 26, true, true},
        Case{"watchdog_owned", "stall=1", 1, 1, 668, true, true},
        Case{"watchdog_owned", "none", 1, 1, 1000, true, true, 0, 2},
        // What the connection of a cancelled renewal carries next stays behind it.
        Case{"watchdog_unowned", "delay_request=1", 1, 1, 36398, true, true, 0, 2},
        Case{"watchdog_unowned", "delay_request=1", 1, 1, 326, true, true},
        Case{"set_nx_lua", "none", 2, 1, 582, true, false, 1},
        Case{"set_nx_lua", "crash=1", 2, 1, 2256, true, false, 1}};
#ifdef LOCKLAB_SMALL_BOUNDS
    std::erase_if(all, [](const Case& c) { return c.schedules > 20'000; });
#endif
    return all;
}

/// They last as long as they can.
std::vector<Case> cases_of_exact_length() {
    std::vector<Case> all{
        // start, SET, its reply, the job's end (a pass and a wake), release, its reply.
        Case{"set_nx_lua", "none", 1, 1, 1},
        // The same, or a crash after any step but the last.
        Case{"set_nx_lua", "crash=1", 1, 1, 7},
        // Two starts and two grants in a row, in any order, until two are inside.
        Case{"no_lock", "none", 2, 1, 6}, Case{"set_nx_lua", "none", 2, 1, 60},
        Case{"set_nx_lua", "none", 2, 2, 628}, Case{"set_nx_lua", "none", 3, 1, 9120},
        Case{"set_nx_lua", "crash=1", 2, 1, 446}, Case{"set_nx_lua", "pause=1", 2, 1, 664},
        Case{"set_nx_lua", "slow_job=1", 2, 1, 142},
        Case{"set_nx_lua", "lose_request=1", 2, 1, 178},
        Case{"set_nx_lua", "lose_reply=1", 2, 1, 178}, Case{"set_nx_lua", "retry=1", 2, 1, 242},
        Case{"set_nx_lua", "delay_request=1", 2, 1, 196},
        // The calm one, and either reply late by as much as it can be.
        Case{"set_nx_lua", "delay_reply=1", 1, 1, 3},
        Case{"set_nx_lua", "delay_reply=1", 2, 1, 218},
        Case{"set_nx_lua", "delay_reply=1,pause=1", 2, 1, 3312},
        Case{"set_nx_lua", "delay_reply=1,restart=1", 2, 1, 2796},
        Case{"watchdog_unowned", "slow_job=1,delay_reply=1", 1, 1, 26},
        Case{"set_nx_lua", "restart=1", 2, 1, 700}, Case{"set_nx_lua", "evict=1", 2, 1, 500},
        Case{"set_nx_lua", "server_clock_jump=1", 2, 1, 940},
        Case{"set_nx_lua", "delay_request=1,restart=1", 2, 1, 2666},
        Case{"set_nx_lua", "restart_snapshot=1", 2, 1, 3686},
        Case{"setnx_getset_epoch", "restart_snapshot=1", 2, 1, 8586},
        Case{"reentrant_watchdog", "restart_snapshot=2", 1, 1, 203},
        Case{"setnx_getset_epoch", "none", 2, 1, 132},
        Case{"setnx_getset_epoch", "pause=1", 2, 1, 1062},
        Case{"setnx_getset_epoch", "clock_jump=1", 2, 1, 6036},
        Case{"setnx_timestamp_del", "clock_offset=1", 2, 1, 1204},
        Case{"setnx_expire", "lose_reply=1", 2, 1, 476}, Case{"perfect_lock", "crash=1", 2, 1, 438},
        Case{"watchdog_owned", "stall=1", 1, 1, 3},
        Case{"watchdog_owned", "slow_job=1,stall=1", 1, 1, 35},
        Case{"watchdog_unowned", "crash=1", 2, 1, 1648},
        Case{"reentrant_watchdog", "delay_request=1", 2, 1, 196},
        // A background task's commands, too.
        Case{"watchdog_owned", "slow_job=1,restart=1", 1, 1, 31},
        Case{"watchdog_unowned", "slow_job=1,restart=1", 1, 1, 112},
        Case{"watchdog_owned", "slow_job=1,lose_reply=1", 1, 1, 9},
        Case{"watchdog_owned", "slow_job=1,delay_request=1", 1, 1, 9},
        Case{"watchdog_unowned", "slow_job=1,retry=1", 1, 1, 19},
        // What was taken down names clients, too, and expires meanwhile.
        Case{"set_nx_lua", "crash=1,restart_snapshot=1", 2, 1, 22704},
        Case{"set_nx_lua", "slow_job=1,restart_snapshot=1", 2, 1, 8756},
        // Two of one kind.
        Case{"set_nx_lua", "pause=2", 1, 1, 27}, Case{"set_nx_lua", "delay_request=2", 1, 2, 20},
        Case{"watchdog_owned", "slow_job=1,stall=2", 1, 1, 40},
        Case{"set_nx_lua", "delay_request=1,lose_request=1", 1, 2, 27},
        Case{"set_nx_lua", "delay_request=1,lose_request=1", 1, 3, 70},
        // Who is paused does not give up, and is told of what came late.
        Case{"set_nx_lua", "delay_request=1,pause=1", 2, 1, 3008},
        Case{"set_nx_del", "delay_request=2", 2, 1, 340}};
    for (Case& c : all) c.any_length = false;
    return all;
}

std::string name_of_case(const testing::TestParamInfo<Case>& c) {
    return test_name(testing::PrintToString(c.param));
}

INSTANTIATE_TEST_SUITE_P(OfAnyLength, EverySchedule, testing::ValuesIn(cases_of_any_length()),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(OfExactLength, EverySchedule, testing::ValuesIn(cases_of_exact_length()),
                         name_of_case);

/// Counts on its own monotonic clock: who learns of its grant too late has none.
class WatchesItsLease final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const MonotonicTime asked = client_.monotonic();
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", 1200);
        if (!set.is_ok()) co_return Refused{};
        if (client_.monotonic() - asked > std::chrono::milliseconds(800)) co_return Refused{};
        co_return Grant{token, std::chrono::milliseconds(400)};
    }
};

TEST(MonotonicClock, is_looked_at_in_both_engines) {
    const Algorithm lock = written<WatchesItsLease>("set_nx_del");
    for (const bool any_length : {false, true}) {
        Bounds bounds = bounds_with(lock, "pause=1", 2, 1, 1);
        bounds.any_length = any_length;
        bounds.pause = std::chrono::milliseconds(1100);
        const Schedules plain =
            every_schedule(lock, bounds, 1'000'000, kGoOn, [](std::uint64_t) {});
        const Odds odds = odds_of(lock, bounds, Path(), kMemory, kGoOn);
        ASSERT_TRUE(plain.complete && odds.complete);
        EXPECT_EQ(odds.schedules, static_cast<double>(plain.count));
        EXPECT_EQ(odds.violated_schedules, static_cast<double>(plain.violated));
        EXPECT_GT(odds.states, 100U);
    }
}

/// A server that restarts may be away for a while; it is back at any time until then.
TEST(Outage, has_as_many_schedules_in_both_forms) {
    struct Outage {
        const char* algorithm;
        const char* faults;
        std::uint32_t clients;
        bool any_length;
        double schedules;
    };
    for (const Outage& c : {Outage{"set_nx_lua", "restart=1", 2, true, 10896},
                            Outage{"set_nx_lua", "delay_reply=1,restart=1", 1, true, 222},
                            Outage{"set_nx_lua", "restart=1", 2, false, 644},
                            Outage{"set_nx_lua", "delay_request=1,restart=1", 2, false, 2560}}) {
        SCOPED_TRACE(std::string(c.algorithm) + " under " + c.faults);
        const Algorithm& lock = *algorithm_named(c.algorithm);
        Bounds bounds = bounds_with(lock, c.faults, c.clients, 1, 1);
        bounds.any_length = c.any_length;
        bounds.outage = std::chrono::milliseconds(120);
        const Schedules plain =
            every_schedule(lock, bounds, 1'000'000, kGoOn, [](std::uint64_t) {});
        const Odds odds = odds_of(lock, bounds, Path(), kMemory, kGoOn);
        ASSERT_TRUE(plain.complete && odds.complete);
        EXPECT_EQ(static_cast<double>(plain.count), c.schedules);
        EXPECT_EQ(odds.schedules, c.schedules);
        EXPECT_EQ(odds.violated_schedules, static_cast<double>(plain.violated));
    }
}

TEST(Odds, of_the_canary_are_those_of_a_die_and_a_coin) {
    // A is inside. One of three comes next: B too, A goes, or time passes; after that, one of two:
    // B too, or A goes.
    const Odds odds = odds_for({"no_lock", "none", 2, 1, 12}, true);
    EXPECT_DOUBLE_EQ(odds.violation, 1.0 / 3 + 1.0 / 3 * 1 / 2);
    EXPECT_EQ(odds.violated_schedules, 4);
}

TEST(Odds, are_what_a_walk_meets) {
    for (const Case& c :
         {Case{"set_nx_lua", "pause=1", 2, 3, 0}, Case{"set_nx_lua", "evict=1", 3, 2, 0},
          Case{"setnx_getset_epoch", "clock_offset=1", 2, 1, 0},
          Case{"set_nx_del", "slow_job=1", 2, 2, 0}}) {
        const Algorithm& lock = *algorithm_named(c.algorithm);
        RandomLimits limits;
        limits.strategy = Strategy::walk;
        limits.count = true;
        limits.schedules = 40'000;
        const RandomResult met =
            search_randomly(lock, bounds_with(lock, c.faults, c.clients, 1, c.attempts), limits,
                            kGoOn, [](std::uint64_t) {});
        const double exact = odds_for(c, true).violation;
        const double n = static_cast<double>(met.schedules);
        const double deviation = std::sqrt(exact * (1 - exact) / n);
        EXPECT_GT(exact, 0.001);
        EXPECT_NEAR(static_cast<double>(met.violated) / n, exact, 4 * deviation)
            << testing::PrintToString(c);
    }
}

TEST(Odds, are_the_same_with_and_without_symmetry) {
    for (const Case& c :
         {Case{"set_nx_lua", "pause=1", 3, 2, 0}, Case{"set_nx_del", "crash=1,pause=1", 3, 1, 0},
          Case{"setnx_getset_epoch", "clock_offset=1", 3, 1, 0},
          // What was taken down names clients, too.
          Case{"set_nx_lua", "restart_snapshot=1", 3, 1, 0},
          Case{"reentrant_watchdog", "restart_snapshot=1", 3, 1, 0}}) {
        const Odds whole = odds_for(c, false);
        const Odds reduced = odds_for(c, true);
        EXPECT_NEAR(reduced.violation, whole.violation, 1e-12) << testing::PrintToString(c);
        EXPECT_EQ(reduced.schedules, whole.schedules);
        EXPECT_LT(reduced.states * 4, whole.states);
    }
}

TEST(Odds, say_from_which_step_on_a_violation_is_inevitable) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    for (const bool any_length : {false, true}) {
        Bounds bounds = bounds_with(lock, "pause=1", 2);
        bounds.any_length = any_length;
        const SearchResult found = search(lock, bounds);
        const Odds odds = odds_of(lock, bounds, found.witness, kMemory, kGoOn);
        ASSERT_EQ(odds.along.size(), 10U);
        EXPECT_EQ(odds.along.front(), odds.violation);
        EXPECT_EQ(odds.along.back(), 1);
        // A sleeps through the end of its lease, and B has come: nothing keeps B from A's side but
        // A, who can wake up and go only if pauses end when they like.
        EXPECT_EQ(odds.inevitable_after, any_length ? 9 : 7);
        EXPECT_LT(odds.along[6], 1);
        for (std::size_t step = any_length ? 9 : 7; step < odds.along.size(); ++step) {
            EXPECT_EQ(odds.along[step], 1) << step;
        }
    }
}

TEST(Odds, that_were_not_finished_say_so) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "crash=1,pause=1", 3);
    const Odds small = odds_of(lock, bounds, Path(), 1000, kGoOn);
    EXPECT_FALSE(small.complete);
    EXPECT_EQ(small.why_not, "out of memory");
    const Odds stopped = odds_of(lock, bounds, Path(), kMemory, std::atomic<bool>{true});
    EXPECT_EQ(stopped.why_not, "interrupted");
}

}  // namespace
}  // namespace locklab::state_graph_test
