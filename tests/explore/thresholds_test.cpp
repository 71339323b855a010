#include "harness/explore/thresholds.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::thresholds_test {
namespace {

using std::chrono::milliseconds;

Thresholds of(Goal goal, ThresholdPair found) {
    return goal == Goal::progress ? std::move(found.progress) : std::move(found.exclusion);
}

Thresholds thresholds(const char* algorithm, Goal goal, std::uint32_t most_faults,
                      const std::atomic<bool>& stop = kGoOn) {
    const Algorithm& lock = *algorithm_named(algorithm);
    Bounds bounds = bounds_for(lock);
    bounds.clients = 2;
    bounds.leaves = 1;
    bounds.job = std::chrono::milliseconds(300);  // within a lease, also of a lock that renews
    return of(goal, find_thresholds(lock, {{bounds}, most_faults}, SearchLimits(), stop,
                                    [](const SearchProgress&) {}));
}

std::map<std::string, std::optional<Duration>> minimal(const Thresholds& found) {
    std::map<std::string, std::optional<Duration>> sets;
    for (const Threshold& threshold : found.minimal) {
        sets[to_string(threshold.faults)] = threshold.least;
    }
    return sets;
}

TEST(Thresholds, of_a_lease_are_what_outlasts_it) {
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
        {"evict=1", std::nullopt},
        {"flush=1", std::nullopt},
        {"failover=1", std::nullopt}};
    EXPECT_EQ(minimal(found), expected);
    EXPECT_EQ(found.harmless.size(), 12U);  // none, crash, freeze, faults of messages and clocks
    EXPECT_TRUE(found.unknown.empty());
    EXPECT_TRUE(found.complete);
}

TEST(Thresholds, the_least_amount_may_take_more_steps) {
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

TEST(Thresholds, of_progress_are_what_leaves_a_key_for_ever) {
    EXPECT_TRUE(thresholds("set_nx_lua", Goal::progress, 1).minimal.empty());
    const auto sets = minimal(thresholds("setnx_expire", Goal::progress, 1));
    EXPECT_TRUE(sets.contains("crash=1"));
    EXPECT_TRUE(sets.contains("lose_reply=1"));
    EXPECT_FALSE(sets.contains("pause=1"));
}

/// What is asked of each set of faults, by itself and of everything.
void expect_as_asked_alone(const char* name, const std::vector<Bounds>& searches) {
    const Algorithm& lock = *algorithm_named(name);
    const ThresholdPair found =
        find_thresholds(lock, {searches}, SearchLimits(), kGoOn, [](const SearchProgress&) {});
    for (const Thresholds& one : {found.exclusion, found.progress}) {
        SearchLimits limits;
        limits.goal = one.goal;
        const Prover prover(lock, limits);
        const auto verdict = [&](const FaultBudget& faults, std::vector<Bounds> asked) {
            for (Bounds& bounds : asked) bounds.faults = faults;
            return prover.prove(asked, kGoOn, [](const SearchProgress&) {}).verdict;
        };
        for (const Threshold& least : one.minimal) {
            EXPECT_EQ(verdict(least.faults, {least.bounds}), least.verdict)
                << name << " " << to_string(least.faults);
        }
        for (const FaultBudget& faults : one.harmless) {
            EXPECT_EQ(verdict(faults, searches), Verdict::holds)
                << name << " " << to_string(faults);
        }
        for (const FaultBudget& faults : one.harmless_briefly) {
            EXPECT_EQ(verdict(faults, brief_searches(searches)), Verdict::holds)
                << name << " " << to_string(faults);
        }
    }
}

TEST(Thresholds, are_what_each_set_of_faults_shows_alone) {
    for (const char* name : {"setnx_del", "setnx_expire", "set_nx_lua"}) {
        expect_as_asked_alone(name, searches_for(*algorithm_named(name)));
    }
}

/// Its second lease is half as long as its first.
class HalvesItsLease final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        const Reply set = co_await client_.command("SET", key_, token, "NX", "PX", ms());
        if (!set.is_ok()) co_return Refused{};
        const Grant grant{token, ttl_};
        ttl_ /= 2;
        co_return grant;
    }
};

TEST(Thresholds, the_least_amount_is_that_of_all_schedules) {
    const Algorithm lock = written<HalvesItsLease>("set_nx_del");
    for (const auto& [rounds, least] : {std::pair(1U, 901), std::pair(2U, 301)}) {
        const auto found = find_thresholds(lock, {{bounds_with(lock, "none", 2, rounds)}},
                                           SearchLimits(), kGoOn, [](const SearchProgress&) {});
        EXPECT_EQ(minimal(found.exclusion)["pause=1"], milliseconds(least)) << rounds << " rounds";
    }
}

TEST(Thresholds, of_progress_are_of_the_brief_search_where_exclusion_is_broken) {
    const Algorithm& lock = *algorithm_named("setnx_expire");
    const ThresholdPair found = find_thresholds(lock, {searches_for(lock)}, SearchLimits(), kGoOn,
                                                [](const SearchProgress&) {});
    const auto broken = minimal(found.exclusion);
    const auto stuck = minimal(found.progress);
    EXPECT_TRUE(broken.contains("retry=1") && stuck.contains("retry=1"));
    EXPECT_TRUE(stuck.contains("crash=1") && !broken.contains("crash=1"));
    EXPECT_TRUE(found.exclusion.harmless_briefly.empty());
    ASSERT_FALSE(found.progress.harmless_briefly.empty());
    for (const FaultBudget& faults : found.progress.harmless_briefly) {
        EXPECT_TRUE(broken.contains(to_string(faults))) << to_string(faults);
    }
    // Where one search in one round is all that was asked for, there is no shorter one.
    EXPECT_TRUE(thresholds("setnx_expire", Goal::progress, 1).harmless_briefly.empty());
}

/// Who was refused before does not give it back. Who has had it twice asks nobody any more.
class GoesAstrayTwice final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const Token token = client_.fresh_token();
        if (rounds_ == 2) {
            co_await client_.command("SET", key_, token);
            co_return Grant{token};
        }
        const Reply set = co_await client_.command("SET", key_, token, "NX");
        if (set.is_ok()) co_return Grant{token};
        refused_ = true;
        co_return Refused{};
    }
    Task<Release> release() override {
        ++rounds_;
        if (!refused_) co_await client_.command("DEL", key_);
        co_return Release::yes;
    }

private:
    int rounds_ = 0;
    bool refused_ = false;
};

TEST(Thresholds, of_exclusion_are_looked_for_beyond_where_the_lock_is_left_behind) {
    const Algorithm lock = written<GoesAstrayTwice>("setnx_del");
    const std::vector<Bounds> searches{bounds_with(lock, "none", 2, 1, 2),
                                       bounds_with(lock, "none", 2, 3, 2)};
    const ThresholdPair found =
        find_thresholds(lock, {searches, 0}, SearchLimits(), kGoOn, [](const SearchProgress&) {});
    ASSERT_EQ(found.progress.minimal.size(), 1U);
    ASSERT_EQ(found.exclusion.minimal.size(), 1U);
    const Threshold& stuck = found.progress.minimal.front();
    const Threshold& violated = found.exclusion.minimal.front();
    EXPECT_EQ(stuck.verdict, Verdict::stuck);
    EXPECT_EQ(violated.verdict, Verdict::violated);
    EXPECT_LT(stuck.witness.steps.size(), violated.witness.steps.size());
}

TEST(Thresholds, the_brief_searches_take_a_lock_again_where_the_others_do) {
    const auto brief = brief_searches(searches_for(*algorithm_named("reentrant_watchdog")));
    ASSERT_EQ(brief.size(), 2U);
    EXPECT_FALSE(brief[0].takes_again);
    EXPECT_TRUE(brief[1].takes_again);
    for (const Bounds& bounds : brief) EXPECT_EQ(bounds.rounds, 1U);
    EXPECT_EQ(brief_searches(searches_for(*algorithm_named("set_nx_lua"))).size(), 1U);
}

TEST(Thresholds, a_set_is_minimal_only_if_no_part_of_it_breaks_the_lock) {
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

TEST(Thresholds, the_canary_needs_no_fault_and_the_oracle_stands_all) {
    const auto canary = minimal(thresholds("no_lock", Goal::exclusion, 1));
    ASSERT_EQ(canary.size(), 1U);
    EXPECT_TRUE(canary.contains("none"));
    EXPECT_TRUE(thresholds("perfect_lock", Goal::exclusion, 2).minimal.empty());
    EXPECT_TRUE(thresholds("perfect_lock", Goal::progress, 2).minimal.empty());
}

TEST(Thresholds, what_could_not_be_searched_is_not_harmless) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    SearchLimits limits;
    limits.memory = 1;
    const ThresholdPair both = find_thresholds(lock, {{bounds_with(lock, "none")}}, limits, kGoOn,
                                               [](const SearchProgress&) {});
    for (const Thresholds& found : {both.exclusion, both.progress}) {
        EXPECT_TRUE(found.minimal.empty());
        EXPECT_TRUE(found.harmless.empty());
        EXPECT_EQ(found.unknown.size(), 21U);
    }
}

/// One client alone can leave it for ever, and shows nothing of two.
TEST(Thresholds, of_what_is_left_behind_exclusion_must_be_exercised_too) {
    const Algorithm& lock = *algorithm_named("setnx_del");
    const ThresholdPair found =
        find_thresholds(lock, {{bounds_with(lock, "none", 1, 1, 1)}, 1}, SearchLimits(), kGoOn,
                        [](const SearchProgress&) {});
    const FaultBudget crash = parse_faults("crash=1");
    EXPECT_EQ(std::ranges::count(found.progress.minimal, crash, &Threshold::faults), 1);
    EXPECT_EQ(std::ranges::count(found.exclusion.harmless, crash), 0);
    EXPECT_EQ(std::ranges::count(found.exclusion.unknown, crash, &UnknownSet::faults), 1);
}

TEST(Thresholds, no_amount_is_the_least_where_a_smaller_one_is_not_known) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "none", 3);
    Bounds shorter = bounds_with(lock, "pause=1", 3);
    SearchLimits limits;
    limits.memory = search(lock, shorter).memory;
    shorter.pause = milliseconds(100);
    ASSERT_GT(search(lock, shorter).memory, limits.memory);
    const auto sets = minimal(
        find_thresholds(lock, {{bounds}}, limits, kGoOn, [](const SearchProgress&) {}).exclusion);
    ASSERT_TRUE(sets.contains("pause=1"));
    EXPECT_FALSE(sets.at("pause=1").has_value());
}

TEST(Thresholds, what_was_interrupted_is_not_complete) {
    const std::atomic<bool> stop{true};
    const Thresholds found = thresholds("set_nx_lua", Goal::exclusion, 1, stop);
    EXPECT_FALSE(found.complete);
    EXPECT_TRUE(found.harmless.empty());
}

}  // namespace
}  // namespace locklab::thresholds_test
