// The explorer against what is known otherwise: the claims of every lock, both directions, and the
// stage. That it counts what a second engine counts is in state_graph_test.

#include "harness/explore/exhaustive.h"

#include <gtest/gtest.h>

#include "harness/explore/state_set.h"
#include "harness/explore/step_text.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::exhaustive_test {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint32_t kMostClients = 2;
#else
constexpr std::uint32_t kMostClients = 3;
#endif

/// What a fault of the watchdog needs, to matter, is a job that outlives the lease.
std::string faults_for(const Algorithm& algorithm, Hazard hazard) {
    if (hazard == Hazard::contention) return "none";
    const std::string name(name_of(hazard));
    const bool at_watchdog = hazard == Hazard::stall || hazard == Hazard::lose_request ||
                             hazard == Hazard::lose_reply || hazard == Hazard::retry;
    return name + (algorithm.renews && at_watchdog ? "=1,slow_job=1" : "=1");
}

class Claims : public testing::TestWithParam<const Algorithm*> {};

std::vector<const Algorithm*> every_lock() {
    std::vector<const Algorithm*> all;
    for (const Algorithm& algorithm : algorithms()) all.push_back(&algorithm);
    return all;
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Claims, testing::ValuesIn(every_lock()),
                         [](const auto& lock) { return std::string(lock.param->name); });

TEST(Exhaustive, one_client_has_a_state_for_each_of_its_steps) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    Bounds bounds = bounds_with(lock, "none", 1);
    // Where its job may end at once, that is one step more, and one state: its key has more time.
    for (const std::uint64_t early : {0U, 1U}) {
        bounds.any_length = early == 1;
        const SearchResult found = search(lock, bounds);
        EXPECT_EQ(found.states, 8 + early);
        EXPECT_EQ(found.steps, 7 + 2 * early);
    }
}

TEST_P(Claims, are_the_same_with_and_without_symmetry) {
    const Algorithm& algorithm = *GetParam();
    for (const HazardRow& row : kHazards) {
        if (!applies(algorithm, row.hazard)) continue;
        const std::string faults = faults_for(algorithm, row.hazard);
        for (std::uint32_t clients = 2; clients <= kMostClients; ++clients) {
            Bounds bounds = bounds_with(algorithm, faults.c_str(), clients, 1, 2);
            const SearchResult reduced = search(algorithm, bounds);
            bounds.symmetry = false;
            const SearchResult whole = search(algorithm, bounds);
            SCOPED_TRACE(std::string(algorithm.name) + " under " + faults);
            EXPECT_EQ(name_of(reduced.verdict), name_of(whole.verdict));
            EXPECT_EQ(reduced.witness.steps.size(), whole.witness.steps.size());
            EXPECT_EQ(reduced.depth, whole.depth);
            EXPECT_LT(reduced.states, whole.states);
            if (reduced.exhausted) {
                EXPECT_EQ(reduced.longest_orphan, whole.longest_orphan);
            }
        }
    }
}

TEST(Exhaustive, visits_the_same_states_whatever_built_it) {
    // Both compilers, with and without optimisation and sanitizers. Renew on purpose, where rules
    // or the order of numbers change.
    EXPECT_EQ(search("set_nx_lua", "crash=1,lose_reply=1", 3).digest, 4094728264251368723U);
    EXPECT_EQ(search("setnx_getset_epoch", "clock_jump=1", 2).digest, 13136727974828261235U);
    EXPECT_EQ(search("reentrant_watchdog", "delay_request=1", 2, 2).digest, 10847633714135063134U);
}

TEST(Exhaustive, is_the_same_with_any_number_of_threads) {
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

TEST(Exhaustive, the_shortest_witness_of_a_pause_is_the_articles) {
    const SearchResult found = search("set_nx_lua", "pause=1");
    ASSERT_EQ(found.verdict, Verdict::violated);
    std::vector<std::string> steps;
    for (const Step& step : found.witness.steps) steps.push_back(to_string(step));
    EXPECT_EQ(steps.size(), 9U);
    EXPECT_EQ(std::count_if(found.witness.steps.begin(), found.witness.steps.end(), is_fault), 1);
}

TEST(Exhaustive, a_bound_that_was_hit_is_no_proof) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    SearchLimits limits;
    limits.memory = 1;
    const SearchResult found = search_exhaustively(lock, bounds_with(lock, "crash=1"), limits,
                                                   kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_FALSE(found.exhausted);
    EXPECT_EQ(found.why_unknown, "out of memory");
    EXPECT_EQ(search("set_nx_lua", "delay_request=9").verdict, Verdict::unknown);
    const std::atomic<bool> stop{true};
    const SearchResult stopped = search_exhaustively(
        lock, bounds_with(lock, "crash=1"), SearchLimits(), stop, [](const SearchProgress&) {});
    EXPECT_EQ(stopped.verdict, Verdict::unknown);
    EXPECT_EQ(stopped.why_unknown, "interrupted");
}

TEST(Exhaustive, a_fault_that_cannot_strike_is_no_proof) {
    const SearchResult found = search("set_nx_lua", "stall=1");
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_EQ(found.why_unknown, "fault 'stall' cannot strike this lock");
    EXPECT_EQ(search("perfect_lock", "lose_reply=1").verdict, Verdict::unknown);
    EXPECT_EQ(search("watchdog_owned", "crash=1").verdict, Verdict::holds);
}

/// Forgets to end its watchdog.
class LeavesAGhost final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", 1200);
        if (!set.is_ok()) co_return Refused{};
        client_.spawn(renew());
        co_return Grant{token, std::chrono::milliseconds(1200)};
    }
    Task<Release> release() override {
        const Reply deleted = co_await client_.command("DEL", key_);
        co_return deleted.is_unknown() ? Release::unknown : Release::yes;
    }

private:
    Task<> renew() {
        for (;;) {
            co_await client_.sleep(std::chrono::milliseconds(400));
            co_await client_.command("PEXPIRE", key_, 1200);
        }
    }
};

/// One watchdog is not enough for it.
class HasTwoWatchdogs final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        client_.spawn(sleep());
        client_.spawn(sleep());
        co_return Grant{Token{"1"}, std::chrono::milliseconds(1200)};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    Task<> sleep() { co_await client_.sleep(std::chrono::milliseconds(400)); }
};

TEST(Exhaustive, what_is_built_for_less_says_so) {
    const Algorithm lock = written<HasTwoWatchdogs>("watchdog_unowned");
    const SearchResult found = search(lock, bounds_with(lock, "none"));
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_EQ(found.why_unknown, "locks with two background tasks at once are not searched");
}

TEST(Exhaustive, a_watchdog_that_outlives_its_client_is_no_proof) {
    const Algorithm lock = written<LeavesAGhost>("watchdog_unowned");
    const SearchResult found = search(lock, bounds_with(lock, "none"));
    EXPECT_EQ(found.verdict, Verdict::unknown);
    EXPECT_EQ(found.why_unknown,
              "a background task outlives its client's work, and is not followed");
    EXPECT_EQ(search("watchdog_unowned", "none").verdict, Verdict::holds);
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

TEST(Exhaustive, a_restart_loses_what_is_on_its_way) {
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

TEST(Exhaustive, a_lock_that_is_left_behind_is_free_again_after_its_ttl) {
    const SearchResult found = search("set_nx_lua", "crash=1");
    EXPECT_EQ(found.verdict, Verdict::holds);
    EXPECT_GE(found.longest_orphan, std::chrono::milliseconds(1200));
    EXPECT_LE(found.longest_orphan, std::chrono::milliseconds(1400));
    EXPECT_EQ(search("set_nx_lua", "none").longest_orphan, Duration::zero());
}

TEST(StepText, is_read_as_it_is_written) {
    for (std::uint8_t kind = 0; kind <= static_cast<std::uint8_t>(Step::Kind::restore); ++kind) {
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
}  // namespace locklab::exhaustive_test
