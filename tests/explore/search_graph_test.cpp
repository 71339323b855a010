// The search against the graph, which keeps its states elsewhere and has one thread: what is
// exhausted was visited, all of it, and once.

#include <gtest/gtest.h>

#include "harness/explore/every_schedule.h"
#include "harness/explore/state_graph.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::search_graph_test {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint32_t kManyAttempts = 1;
#else
constexpr std::uint32_t kManyAttempts = 2;
#endif

struct Case {
    const char* algorithm;
    const char* faults;
    std::uint32_t clients;
    std::uint32_t rounds;
    std::uint32_t attempts;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.algorithm << " under " << c.faults << ", " << c.clients << " clients, " << c.rounds
         << " rounds, " << c.attempts << " attempts";
}

class Visited : public testing::TestWithParam<Case> {};

TEST_P(Visited, are_the_states_of_the_graph_by_any_number_of_threads) {
    const Case& c = GetParam();
    const Algorithm& lock = *algorithm_named(c.algorithm);
    Bounds bounds = bounds_with(lock, c.faults, c.clients, c.rounds, c.attempts);
    // A lock that is known again by its token has its clients kept apart when they are done.
    bounds.waits_on = c.algorithm == std::string_view("reentrant_watchdog");
    const Odds graph = odds_of(lock, bounds, Path(), kMemory, kGoOn);
    ASSERT_TRUE(graph.complete) << graph.why_not;
    ASSERT_EQ(graph.violated_schedules, 0);
    for (const std::uint32_t threads : {1U, 3U}) {
        const SearchResult found = search(lock, bounds, threads);
        EXPECT_EQ(name_of(found.verdict), "holds");
        EXPECT_EQ(found.states, graph.states) << threads << " threads";
        EXPECT_EQ(found.steps, graph.steps) << threads << " threads";
    }
}

INSTANTIATE_TEST_SUITE_P(
    EveryState, Visited,
    testing::Values(
        // A level of several chunks, each of which is worth threads.
        Case{"set_nx_lua", "lose_reply=1,lose_request=1,retry=1", 4, 1, kManyAttempts},
        Case{"set_nx_lua", "crash=1,retry=1", 4, 1, 2}, Case{"set_nx_lua", "none", 4, 1, 3},
        Case{"setnx_getset_epoch", "none", 3, 1, 2},
        Case{"setnx_getset_epoch", "lose_request=1", 2, 2, 2},
        Case{"watchdog_owned", "slow_job=1,crash=1", 2, 1, 3},
        Case{"reentrant_watchdog", "retry=1", 2, 1, 3},
        Case{"perfect_lock", "crash=1,pause=1", 3, 1, 2}),
    [](const auto& c) { return test_name(testing::PrintToString(c.param)); });

/// Takes the lock from whoever has had it at two tries.
class TakesFromTheSlow final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX");
        if (set.is_ok()) co_return Grant{token};
        const Reply held = co_await client_.command("GET", key_);
        if (!held.is_bulk() || held.text() != seen_) {
            seen_ = held.text();
            co_return Refused{};
        }
        co_await client_.command("SET", key_, token);
        co_return Grant{token};
    }

private:
    std::string seen_;
};

/// Whoever is refused puts the other's token back into the key, and whoever leaves looks whose it
/// is.
class PutsBackWhatItSaw final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        token_ = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token_, "NX");
        if (set.is_ok()) co_return Grant{token_};
        const Reply held = co_await client_.command("GET", key_);
        if (held.is_bulk()) co_await client_.command("SET", key_, held.text());
        co_return Refused{};
    }
    Task<Release> release() override {
        const Reply held = co_await client_.command("GET", key_);
        if (!held.is_bulk() || held.text() != token_.text) co_return Release::not_ours;
        co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

private:
    Token token_;
};

/// Writes the time into the key, but for its first round.
class TimesItsSecond final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const std::string value = rounds_ > 0 ? std::to_string(us(client_.now())) : "1";
        const Reply set = co_await client_.command("SETNX", key_, value);
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override {
        ++rounds_;
        co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

private:
    int rounds_ = 0;
};

/// Grants whatever is asked, and asks for the time first once it has been held.
class LooksAtTheClockLater final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        if (held_) client_.now();
        co_await client_.command("PING");
        held_ = true;
        co_return Grant{};
    }
    Task<Release> release() override { co_return Release::yes; }

private:
    bool held_ = false;
};

/// Takes an atomic lock, and does not give it back at the end of its third round.
class KeepsItsThird final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Reply set = co_await client_.command("SETNX", key_, "1");
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override {
        if (++rounds_ < 3) co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

private:
    int rounds_ = 0;
};

/// Gives the lock back some time after the release of its first round.
class FreesLater final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        client_.cancel(later_);
        if (rounds_ > 0) co_await client_.command("DEL", key_);
        const Reply set = co_await client_.command("SETNX", key_, "1");
        if (!set.is_integer(1)) co_return Refused{};
        co_return Grant{};
    }
    Task<Release> release() override {
        if (++rounds_ == 1) {
            later_ = client_.spawn(free_later());
        } else {
            co_await client_.command("DEL", key_);
        }
        co_return Release::yes;
    }

private:
    Task<> free_later() {
        co_await client_.sleep(std::chrono::milliseconds(500));
        co_await client_.command("DEL", key_);
    }

    Background later_;
    int rounds_ = 0;
};

TEST(Search, a_task_in_the_background_may_yet_free_the_lock) {
    const Algorithm lock = written<FreesLater>("set_nx_lua");
    EXPECT_EQ(search(lock, bounds_with(lock, "none", 1, 2, 2)).verdict, Verdict::holds);
    EXPECT_EQ(search(lock, bounds_with(lock, "crash=1", 1, 2, 2)).verdict, Verdict::stuck);
}

TEST(Search, does_not_renumber_clients_of_whom_one_has_seen_anothers_token) {
    const Algorithm lock = written<TakesFromTheSlow>("set_nx_lua");
    Bounds bounds = bounds_with(lock, "none", 3, 1, 2);
    const Odds reduced = odds_of(lock, bounds, Path(), kMemory, kGoOn);
    const SearchResult found = search(lock, bounds);
    bounds.symmetry = false;
    const Odds whole = odds_of(lock, bounds, Path(), kMemory, kGoOn);
    ASSERT_TRUE(reduced.complete && whole.complete);
    EXPECT_EQ(reduced.schedules, whole.schedules);
    EXPECT_EQ(reduced.violated_schedules, whole.violated_schedules);
    EXPECT_LT(reduced.states, whole.states);
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.witness.steps.size(), search(lock, bounds).witness.steps.size());
}

TEST(Search, does_not_renumber_the_late_request_of_one_who_is_gone) {
    const Algorithm lock = written<PutsBackWhatItSaw>("set_nx_lua");
    Bounds bounds = bounds_with(lock, "delay_request=1,crash=1", 3, 1, 1);
    const Odds reduced = odds_of(lock, bounds, Path(), kMemory, kGoOn);
    bounds.symmetry = false;
    const Odds whole = odds_of(lock, bounds, Path(), kMemory, kGoOn);
    ASSERT_TRUE(reduced.complete && whole.complete);
    EXPECT_EQ(reduced.schedules, whole.schedules);
    EXPECT_EQ(reduced.violated_schedules, whole.violated_schedules);
    EXPECT_NEAR(reduced.violation, whole.violation, 1e-12);
}

TEST(Search, tells_the_time_from_the_start_where_the_lock_looks_at_its_clock_later) {
    const Algorithm lock = written<TimesItsSecond>("set_nx_lua");
    Bounds bounds = bounds_with(lock, "none", 2, 2, 2);
    bounds.waits_on = true;  // what it has seen counts when it comes again
    const SearchResult found = search(lock, bounds);
    EXPECT_EQ(found.verdict, Verdict::holds);
    const Odds graph = odds_of(lock, bounds, Path(), kMemory, kGoOn);
    EXPECT_EQ(found.states, graph.states);
    EXPECT_EQ(found.steps, graph.steps);
}

TEST(Search, begins_anew_from_nothing) {
    const Algorithm lock = written<LooksAtTheClockLater>("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "none", 2, 2, 1);
    const SearchResult found = search(lock, bounds);
    EXPECT_EQ(found.verdict, Verdict::violated);
    // Two begin, send and are answered; that the second round looks at the clock is learnt in the
    // same step.
    EXPECT_EQ(found.witness.steps.size(), 6U);
    EXPECT_EQ(found.witness.steps.size(), found.depth);
}

TEST(Search, finds_what_is_left_behind_by_any_number_of_threads) {
    const Algorithm lock = written<KeepsItsThird>("set_nx_lua");
    Bounds bounds = bounds_with(lock, "none", 4, 3, 2);
    bounds.symmetry = false;  // levels that are worth threads
    SearchLimits limits;
    limits.goal = Goal::progress;
    std::optional<SearchResult> first;
    for (const std::uint32_t threads : {1U, 2U, 3U, 5U, 8U}) {
        limits.threads = threads;
        const SearchResult found =
            search_exhaustively(lock, bounds, limits, kGoOn, [](const SearchProgress&) {});
        EXPECT_EQ(found.verdict, Verdict::stuck);
        if (!first) first = found;
        EXPECT_EQ(found.witness.steps.size(), first->witness.steps.size());
        EXPECT_EQ(found.states, first->states);
    }
}

TEST(Search, of_exclusion_does_not_ask_what_is_left_behind) {
    const Algorithm& lock = *algorithm_named("setnx_del");
    const Bounds bounds = bounds_with(lock, "crash=1");
    SearchLimits limits;
    EXPECT_EQ(search(lock, bounds).verdict, Verdict::stuck);
    limits.goal = Goal::exclusion;
    const SearchResult found =
        search_exhaustively(lock, bounds, limits, kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(found.verdict, Verdict::holds);
}

TEST(Search, for_anything_goes_on_from_what_is_left_behind_to_what_is_violated) {
    // A crash leaves the key for ever at once; a slow job lets a second client in much later.
    const SearchResult found = search("setnx_expire", "crash=1,slow_job=1");
    EXPECT_EQ(found.verdict, Verdict::violated);
    SearchLimits limits;
    limits.goal = Goal::progress;
    const Algorithm& lock = *algorithm_named("setnx_expire");
    const SearchResult left = search_exhaustively(lock, bounds_with(lock, "crash=1,slow_job=1"),
                                                  limits, kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(left.verdict, Verdict::stuck);
    EXPECT_LT(left.witness.steps.size(), found.witness.steps.size());
}

}  // namespace
}  // namespace locklab::search_graph_test
