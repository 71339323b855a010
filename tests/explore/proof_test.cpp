// What `explore` says of a lock if nothing else is asked for: what its row declares of every
// hazard, and no proof that exercised too little.

#include "harness/explore/proof.h"

#include <gtest/gtest.h>

#include "tests/explore/proof_run.h"
#include "tests/explore/search_bounds.h"
#include "tests/explore/written_lock.h"

namespace locklab::proof_test {
namespace {

struct Cell {
    const Algorithm* algorithm;
    Hazard hazard;
};

/// With the command that shows the same from outside.
std::ostream& operator<<(std::ostream& out, const Cell& cell) {
    const std::string faults = std::string(name_of(cell.hazard)) + "=1";
    return out << cell.algorithm->name << " under " << name_of(cell.hazard) << ": locklab explore "
               << cell.algorithm->name << " --faults "
               << (cell.hazard == Hazard::contention ? "none" : faults);
}

std::vector<Cell> cells() {
    std::vector<Cell> all;
    for (const auto locks : {algorithms(), other_forms()}) {
        for (const Algorithm& algorithm : locks) {
            for (const HazardRow& row : kHazards) {
                const bool claims = algorithm.safe_under.contains(row.hazard) ||
                                    algorithm.broken_by.contains(row.hazard);
                if (claims && !is_not_searched(algorithm, row.hazard)) {
                    all.push_back({&algorithm, row.hazard});
                }
            }
        }
    }
    return all;
}

class Rows : public testing::TestWithParam<Cell> {};

TEST_P(Rows, are_what_explore_says_with_no_other_option) {
    const auto& [algorithm, hazard] = GetParam();
    FaultBudget faults;
    if (hazard != Hazard::contention) faults[hazard] = 1;
    const Proof proof = prove(*algorithm, faults);
    if (algorithm->safe_under.contains(hazard) || is_out_of_reach(*algorithm, hazard)) {
#ifdef LOCKLAB_SMALL_BOUNDS
        if (proof.why_unknown == "out of memory") return;
#endif
        EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
        EXPECT_TRUE(proof.missing.empty());
        for (const Searched& searched : proof.searches) EXPECT_TRUE(searched.result.exhausted);
        return;
    }
    ASSERT_TRUE(proof.verdict == Verdict::violated || proof.verdict == Verdict::stuck)
        << name_of(proof.verdict) << " " << proof.why_unknown;
    const Judgement judgement = judged_on_stage(proof);
    EXPECT_EQ(judgement.overlaps > 0, proof.verdict == Verdict::violated);
    EXPECT_EQ(judgement.liveness.stuck, proof.verdict == Verdict::stuck);
}

INSTANTIATE_TEST_SUITE_P(EveryCell, Rows, testing::ValuesIn(cells()), [](const auto& cell) {
    return std::string(cell.param.algorithm->name) + "_under_" +
           std::string(name_of(cell.param.hazard));
});

TEST(Proof, of_a_lock_that_renews_has_renewals_in_it) {
    const Proof proof = prove(*algorithm_named("watchdog_owned"), FaultBudget());
    EXPECT_EQ(proof.verdict, Verdict::holds) << proof.why_unknown;
    EXPECT_TRUE(proof.coverage.sent.contains({"compare_and_expire", Phase::background}));
    EXPECT_TRUE(proof.coverage.ran_out);
    // Two locks that differ have different states.
    const Proof other = prove(*algorithm_named("set_nx_lua"), FaultBudget());
    EXPECT_NE(proof.searches[0].result.states, other.searches[0].result.states);
}

/// Wherever it is stopped, no search is left out, and what was not finished is not known.
TEST(Proof, that_was_interrupted_between_two_searches_is_none) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const std::vector<Bounds> searches = searches_for(lock);
    const Prover prover(lock, SearchLimits());
    const auto ticks_of = [&](const std::vector<Bounds>& some, std::uint64_t stop_at) {
        std::atomic<bool> stop{false};
        std::uint64_t ticks = 0;
        const Proof proof = prover.prove(some, stop, [&](const SearchProgress&) {
            if (++ticks == stop_at) stop = true;
        });
        return std::pair(ticks, proof);
    };
    const std::uint64_t first = ticks_of({searches[0]}, 0).first;
    for (std::uint64_t stop_at = 1; stop_at <= first + 1; ++stop_at) {
        const Proof proof = ticks_of(searches, stop_at).second;
        EXPECT_EQ(proof.verdict, Verdict::unknown) << stop_at;
        EXPECT_EQ(proof.why_unknown, "interrupted") << stop_at;
        EXPECT_EQ(proof.searches.size(), searches.size()) << "none is left out";
    }
}

/// From its third grant on a client takes another key.
class ChangesItsKey final : public DeletesItsKey {
public:
    using DeletesItsKey::DeletesItsKey;

    Task<Acquired> try_acquire() override {
        const std::string where = grants_ < 2 ? key_.name : key_.name + "b";
        const Reply set = co_await client_.command("SETNX", where, "held");
        if (set.failed()) co_return Failed{set};
        if (!set.is_integer(1)) co_return Refused{};
        where_ = where;
        ++grants_;
        co_return Grant{};
    }
    Task<Release> release() override {
        co_await client_.command("DEL", where_);
        co_return Release::yes;
    }

private:
    int grants_ = 0;
    std::string where_;
};

Proof deepened(const Algorithm& lock, const std::vector<Bounds>& searches, const Deepening& in) {
    const Prover prover(lock, SearchLimits());
    const auto tell = [](const SearchProgress&) {};
    Proof proof = prover.prove(searches, kGoOn, tell);
    EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
    prover.deepen(proof, in, kGoOn, tell);
    return proof;
}

TEST(Deepening, finds_what_more_rounds_show) {
    const Algorithm lock = written<ChangesItsKey>("setnx_del");
    const std::vector<Bounds> two_rounds{bounds_with(lock, "none", 2, 2, 2)};
    const Proof proof = deepened(lock, two_rounds, {.rounds = true});
    EXPECT_EQ(name_of(proof.verdict), "violated");
    EXPECT_EQ(proof.shown().bounds.rounds, 3U);
    const Proof fixed = deepened(lock, two_rounds, {.attempts = true});
    EXPECT_EQ(name_of(fixed.verdict), "holds") << "rounds are fixed";
}

/// It would take minutes to come to a million states.
TEST(Deepening, ends_at_a_number_of_rounds_where_a_client_is_alone) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Prover prover(lock, SearchLimits());
    const auto tell = [](const SearchProgress&) {};
    Proof proof = prover.prove({bounds_with(lock, "none", 1)}, kGoOn, tell);
    prover.deepen(proof, {.rounds = true}, kGoOn, tell);
    ASSERT_FALSE(proof.deeper.empty());
    EXPECT_EQ(proof.deeper.back().bounds.rounds, kMostToDeepen);
    EXPECT_LT(proof.states_spent, kStatesToDeepen);
}

TEST(Deepening, ends_at_a_number_of_states) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const Proof proof = deepened(lock, searches_for(lock), {true, true, true});
    EXPECT_EQ(name_of(proof.verdict), "holds");
    EXPECT_GT(proof.deeper.size(), 3U);
    EXPECT_GT(proof.states_spent, kStatesToDeepen / 4);
    EXPECT_LT(proof.states_spent, kStatesToDeepen + kStatesToDeepen / 10);
    for (const Searched& searched : proof.deeper) EXPECT_TRUE(searched.result.exhausted);
}

TEST(Proof, of_one_client_alone_is_none) {
    const Algorithm& lock = *algorithm_named("no_lock");
    const Prover prover(lock, SearchLimits());
    const Proof alone =
        prover.prove({bounds_with(lock, "none", 1)}, kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(alone.verdict, Verdict::unknown);
    EXPECT_NE(alone.why_unknown.find("nobody that it could exclude"), std::string::npos)
        << alone.why_unknown;
    const std::vector<Bounds> both{bounds_with(lock, "none", 1), bounds_with(lock, "none", 2)};
    const Proof beside = prover.prove(both, kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(beside.verdict, Verdict::violated);
}

TEST(Proof, that_exercised_too_little_is_none) {
    const Algorithm& lock = *algorithm_named("watchdog_owned");
    Bounds bounds = bounds_with(lock, "none");
    bounds.job = std::chrono::milliseconds(300);  // over before the first renewal
    const Proof proof =
        Prover(lock, SearchLimits()).prove({bounds}, kGoOn, [](const SearchProgress&) {});
    EXPECT_EQ(proof.verdict, Verdict::unknown);
    EXPECT_TRUE(proof.vacuous);
    const std::vector<std::string> missing{
        "compare_and_expire was never sent in the phase 'background'",
        "the lock's key has a time to live that never ran out"};
    EXPECT_EQ(proof.missing, missing);
}

TEST(Proof, of_a_row_is_of_each_hazard_that_it_claims_to_survive) {
    const std::vector<FaultBudget> claims = claims_of(*algorithm_named("set_nx_del"));
    ASSERT_EQ(claims.size(), 10U);
    EXPECT_EQ(to_string(claims[0]), "none");
    EXPECT_EQ(to_string(claims[1]), "crash=1");
    EXPECT_EQ(claims_of(*algorithm_named("no_lock")).size(), 1U);
}

}  // namespace
}  // namespace locklab::proof_test
