// The explorer against what is known otherwise: the claims of every lock, both directions; numbers
// that were listed by hand; and a second engine, which has no tables and keeps no states.

#include "harness/explore/exhaustive.h"

#include <gtest/gtest.h>

#include "algorithms/registry.h"
#include "harness/cli/step_player.h"
#include "harness/core/fault_text.h"
#include "harness/explore/state_set.h"
#include "harness/explore/step_text.h"
#include "harness/stage/sim_world.h"

namespace locklab {
namespace {

const std::atomic<bool> kGoOn{false};

Bounds bounds_with(const Algorithm& algorithm, const char* faults, std::uint32_t clients = 2,
                   std::uint32_t rounds = 1, std::uint32_t attempts = 3) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = clients;
    bounds.rounds = rounds;
    bounds.attempts = attempts;
    bounds.faults = parse_faults(faults);
    return bounds;
}

SearchResult search(const Algorithm& algorithm, const Bounds& bounds, std::uint32_t threads = 1) {
    SearchLimits limits;
    limits.threads = threads;
    return search_exhaustively(algorithm, bounds, limits, kGoOn, [](const SearchProgress&) {});
}

SearchResult search(const char* algorithm, const char* faults, std::uint32_t clients = 2,
                    std::uint32_t rounds = 1, std::uint32_t attempts = 3) {
    const Algorithm& lock = *algorithm_named(algorithm);
    return search(lock, bounds_with(lock, faults, clients, rounds, attempts));
}

Judgement judged_on_stage(const Algorithm& algorithm, const Bounds& bounds,
                          const SearchResult& found) {
    Find find;
    find.algorithm = &algorithm;
    find.bounds = bounds;
    find.steps = found.witness.steps;
    find.newcomer = found.verdict == Verdict::stuck;
    for (std::uint32_t i = 0; i < bounds.clients; ++i) {
        find.clock_offsets.push_back(std::chrono::milliseconds(found.witness.clocks[i]));
    }
    SimWorld world;
    return judge(play_steps(find, world, Key{"lock"}).history);
}

/// What a fault of the watchdog needs, to matter, is a job that outlives the lease.
std::string faults_for(const Algorithm& algorithm, Hazard hazard) {
    if (hazard == Hazard::contention) return "none";
    const std::string name(name_of(hazard));
    const bool at_watchdog = hazard == Hazard::stall || hazard == Hazard::lose_request ||
                             hazard == Hazard::lose_reply || hazard == Hazard::retry;
    return name + (algorithm.renews && at_watchdog ? "=1,slow_job=1" : "=1");
}

class Claims : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Claims, whatIsSafeHoldsAndWhatBreaksIsSeenToOnTheStage) {
    const Algorithm& algorithm = *GetParam();
    for (const HazardRow& row : kHazards) {
        if (row.hazard == Hazard::restart_snapshot || !applies(algorithm, row.hazard)) continue;
        const bool claims =
            algorithm.safe_under.contains(row.hazard) || algorithm.broken_by.contains(row.hazard);
        if (!claims) continue;
        const std::string faults = faults_for(algorithm, row.hazard);
        // A late unlock undoes its client's next lock: that takes a second round.
        const bool next_round =
            algorithm.name == "reentrant_watchdog" && row.hazard == Hazard::delay_request;
        // A takeover by two of a third one's key, and a second DEL that lets a third one in.
        const bool of_three = algorithm.name == "setnx_timestamp_del" ||
                              row.hazard == Hazard::delay_request || row.hazard == Hazard::retry;
        const std::uint32_t clients = of_three && !next_round ? 3 : 2;
        const Bounds bounds =
            bounds_with(algorithm, faults.c_str(), clients, next_round ? 2 : 1, 3);
        const SearchResult found = search(algorithm, bounds);
        SCOPED_TRACE(std::string(algorithm.name) + " under " + faults);
        if (algorithm.safe_under.contains(row.hazard)) {
            EXPECT_EQ(name_of(found.verdict), "holds");
            EXPECT_TRUE(found.exhausted);
            continue;
        }
        ASSERT_TRUE(found.verdict == Verdict::violated || found.verdict == Verdict::stuck)
            << name_of(found.verdict);
        const Judgement judgement = judged_on_stage(algorithm, bounds, found);
        EXPECT_EQ(judgement.overlaps > 0, found.verdict == Verdict::violated);
        EXPECT_EQ(judgement.liveness.stuck, found.verdict == Verdict::stuck);
    }
}

std::vector<const Algorithm*> every_lock() {
    std::vector<const Algorithm*> all;
    for (const Algorithm& algorithm : algorithms()) all.push_back(&algorithm);
    return all;
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Claims, testing::ValuesIn(every_lock()),
                         [](const auto& lock) { return std::string(lock.param->name); });

/// Every path of steps, one after the other, with no state kept: how many end, and whether one of
/// them is violated. It shares with the search the rules alone.
struct Paths {
    std::uint64_t ends = 0;
    std::uint64_t violated = 0;
    std::size_t shortest = 0;  ///< violation, in steps
};

void follow(Rules& rules, const State& state, std::size_t depth, Paths& paths) {
    if (rules.is_violated(state)) {
        ++paths.violated;
        if (paths.shortest == 0 || depth < paths.shortest) paths.shortest = depth;
        return;
    }
    Successors next;
    rules.expand(state, next);
    if (next.empty()) ++paths.ends;
    for (const State& after : next.states) follow(rules, after, depth + 1, paths);
}

Paths every_path(const Algorithm& algorithm, const Bounds& bounds) {
    Rules rules(algorithm, bounds);
    Paths paths;
    for (const State& start : rules.initial()) follow(rules, start, 0, paths);
    return paths;
}

TEST(Exhaustive, oneClientHasOneScheduleForEachPlaceOfACrash) {
    // start, SET, its reply, the job's end (a pass and a wake), release, its reply: 7 steps. Before
    // its start a client cannot crash; after the last step it is done.
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    EXPECT_EQ(every_path(lock, bounds_with(lock, "none", 1)).ends, 1U);
    EXPECT_EQ(every_path(lock, bounds_with(lock, "crash=1", 1)).ends, 7U);
    const SearchResult found = search("set_nx_lua", "none", 1);
    EXPECT_EQ(found.states, 8U);
    EXPECT_EQ(found.steps, 7U);
}

TEST(Exhaustive, agreesWithEveryPathPlayed) {
    struct Case {
        const char* algorithm;
        const char* faults;
        std::uint32_t attempts;
    };
    for (const Case& c : {Case{"set_nx_lua", "none", 1}, Case{"set_nx_lua", "pause=1", 1},
                          Case{"set_nx_del", "slow_job=1", 2}, Case{"setnx_del", "crash=1", 1},
                          Case{"set_nx_lua", "lose_reply=1", 1}, Case{"no_lock", "none", 1},
                          Case{"perfect_lock", "pause=1", 1}, Case{"setnx_del", "restart=1", 1}}) {
        const Algorithm& lock = *algorithm_named(c.algorithm);
        const Bounds bounds = bounds_with(lock, c.faults, 2, 1, c.attempts);
        const Paths paths = every_path(lock, bounds);
        const SearchResult found = search(lock, bounds);
        SCOPED_TRACE(std::string(c.algorithm) + " under " + c.faults);
        EXPECT_EQ(found.verdict == Verdict::violated, paths.violated > 0);
        EXPECT_EQ(found.witness.steps.size(),
                  found.verdict == Verdict::stuck ? found.witness.steps.size() : paths.shortest);
        EXPECT_GT(paths.ends + paths.violated, 0U);
    }
}

TEST(Exhaustive, isTheSameWithAnyNumberOfThreads) {
    for (const char* faults : {"none", "crash=1", "delay_request=1", "pause=1"}) {
        const Algorithm& lock = *algorithm_named("setnx_getset_epoch");
        const Bounds bounds = bounds_with(lock, faults, 3, 1, 2);
        const SearchResult one = search(lock, bounds, 1);
        for (const std::uint32_t threads : {2U, 5U}) {
            const SearchResult more = search(lock, bounds, threads);
            EXPECT_EQ(more.verdict, one.verdict);
            EXPECT_EQ(more.states, one.states);
            EXPECT_EQ(more.steps, one.steps);
            EXPECT_EQ(more.digest, one.digest);
            ASSERT_EQ(more.witness.steps.size(), one.witness.steps.size());
            for (std::size_t i = 0; i < one.witness.steps.size(); ++i) {
                EXPECT_EQ(to_string(more.witness.steps[i]), to_string(one.witness.steps[i]));
            }
        }
    }
}

TEST(Exhaustive, theShortestWitnessOfAPauseIsTheArticles) {
    const SearchResult found = search("set_nx_lua", "pause=1");
    ASSERT_EQ(found.verdict, Verdict::violated);
    std::vector<std::string> steps;
    for (const Step& step : found.witness.steps) steps.push_back(to_string(step));
    EXPECT_EQ(steps.size(), 9U);
    EXPECT_EQ(std::count_if(found.witness.steps.begin(), found.witness.steps.end(), is_fault), 1);
}

TEST(Exhaustive, aBoundThatWasHitIsNoProof) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    SearchLimits limits;
    limits.memory = 1;
    const SearchResult found = search_exhaustively(lock, bounds_with(lock, "crash=1"), limits,
                                                   kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_FALSE(found.exhausted);
    EXPECT_EQ(found.why_unknown, "out of memory");
    EXPECT_EQ(search("set_nx_lua", "delay_request=3").verdict, Verdict::unknown);
    const std::atomic<bool> stop{true};
    const SearchResult stopped = search_exhaustively(
        lock, bounds_with(lock, "crash=1"), SearchLimits(), stop, [](const SearchProgress&) {});
    EXPECT_EQ(stopped.verdict, Verdict::unknown);
    EXPECT_EQ(stopped.why_unknown, "interrupted");
}

TEST(Exhaustive, aFaultThatCannotStrikeIsNoProof) {
    const SearchResult found = search("set_nx_lua", "stall=1");
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_EQ(found.why_unknown, "fault 'stall' cannot strike this lock");
    EXPECT_EQ(search("perfect_lock", "lose_reply=1").verdict, Verdict::unknown);
    EXPECT_EQ(search("watchdog_owned", "stall=1").verdict, Verdict::holds);
}

/// Whether anywhere in the paths a late request arrives; after a restart it must not.
bool late_request_arrives(Rules& rules, const State& state, bool restarted, bool& after_restart) {
    Successors next;
    rules.expand(state, next);
    bool arrives = false;
    for (std::size_t i = 0; i < next.size(); ++i) {
        const bool now = next.steps[i].kind == Step::Kind::arrive;
        arrives = arrives || now;
        after_restart = after_restart || (now && restarted);
        const bool gone = restarted || next.steps[i].kind == Step::Kind::restart;
        if (late_request_arrives(rules, next.states[i], gone, after_restart)) arrives = true;
    }
    return arrives;
}

TEST(Exhaustive, aRestartLosesWhatIsOnItsWay) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    // One after the other: a delay that begins after the restart is not lost with it.
    Rules rules(lock, bounds_with(lock, "delay_request=1,restart=1", 1, 1, 1));
    State late = rules.initial()[0];
    for (const Step::Kind kind : {Step::Kind::wake, Step::Kind::delay}) {
        std::vector<Step> steps;
        rules.offer(late, steps);
        const auto step = std::find_if(steps.begin(), steps.end(),
                                       [&](const Step& offered) { return offered.kind == kind; });
        ASSERT_NE(step, steps.end());
        late = rules.after(late, *step);
    }
    bool after_restart = false;
    EXPECT_TRUE(late_request_arrives(rules, late, false, after_restart));
    EXPECT_FALSE(after_restart);
}

TEST(StateSet, tellsStatesApartThatHaveTheSameHash) {
    StateSet states;
    const PackedState a{1, 0};
    const PackedState b{0, 1};
    constexpr std::uint64_t kSame = 12345;
    EXPECT_NE(states.insert({a, kNoState, {}}, kSame), kNoState);
    EXPECT_NE(states.insert({b, kNoState, {}}, kSame), kNoState);
    EXPECT_EQ(states.insert({a, kNoState, {}}, kSame), kNoState);
    EXPECT_EQ(states.insert({b, kNoState, {}}, kSame), kNoState);
    EXPECT_EQ(states.size(), 2U);
}

TEST(State, isPackedWithoutLoss) {
    for (const std::uint32_t part : {0U, 1U, 255U, 256U, PartTable::kMostParts - 1}) {
        for (std::size_t i = 0; i < Bounds::kMostClients; ++i) {
            State state;
            state.setting = 0xDEADBEEF;
            state.clients = {0xABCDE, 0xFFFF, 0x10000, 7};
            state.clients[i] = part;
            EXPECT_EQ(unpacked(packed(state)), state);
        }
    }
}

TEST(Exhaustive, aLockThatIsLeftBehindIsFreeAgainAfterItsTtl) {
    const SearchResult found = search("set_nx_lua", "crash=1");
    EXPECT_EQ(found.verdict, Verdict::holds);
    EXPECT_GE(found.longest_orphan, std::chrono::milliseconds(1200));
    EXPECT_LE(found.longest_orphan, std::chrono::milliseconds(1400));
    EXPECT_EQ(search("set_nx_lua", "none").longest_orphan, Duration::zero());
}

TEST(StepText, isReadAsItIsWritten) {
    for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(Step::Kind::evict); ++kind) {
        Step step;
        step.kind = static_cast<Step::Kind>(kind);
        if (step.kind == Step::Kind::pass) step.ms = 1201;
        const std::optional<Step> read = parse_step(to_string(step));
        ASSERT_TRUE(read.has_value()) << to_string(step);
        EXPECT_EQ(to_string(*read), to_string(step));
    }
    EXPECT_EQ(to_string(*parse_step("B's watchdog take")), "B's watchdog take");
    EXPECT_FALSE(parse_step("B takes").has_value());
    EXPECT_FALSE(parse_step("pass ms").has_value());
    EXPECT_FALSE(parse_step("pass 99999ms").has_value());
    EXPECT_FALSE(parse_step("").has_value());
}

}  // namespace
}  // namespace locklab
