// The exhaustive search says of each lock of the corpus what it says of itself, and the stage sees
// what the search has found.

#include <algorithm>
#include <array>
#include <utility>

#include "harness/core/fault_text.h"
#include "harness/explore/proof.h"
#include "harness/play/explored.h"
#include "tests/corpus/corpus_cases.h"

namespace locklab::corpus {
namespace {

/// A mutant is broken within a second, and so within so many states.
constexpr std::uint64_t kMostToBreak = 3'000'000;
#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kMostToHold = 20'000;
constexpr std::uint64_t kMostOfAParent = 50'000;
#else
constexpr std::uint64_t kMostToHold = 100'000;
constexpr std::uint64_t kMostOfAParent = 3'000'000;
#endif

Proof proof_of(const Algorithm& algorithm, const FaultBudget& faults, std::uint64_t most_states) {
    std::atomic<bool> stop{false};
    return Prover(algorithm, SearchLimits{}).prove(faults, stop, [&](const SearchProgress& now) {
        if (now.states > most_states) stop = true;
    });
}

struct NotSearched {
    std::string_view name;
    std::string_view why;  ///< words of what the search says
};
/// Of these the search does not know, and says why: times of day, a background task without an end,
/// or more states than a mutant may have.
constexpr std::array<NotSearched, 7> kNotSearched{{
    {"set_until", "tell it a time of day"},
    {"expires_by_own_clock", "tell it a time of day"},
    {"never_cancelled", "comes to no end"},
    {"renews_for_all", "comes to no end"},
    {"counts_on_the_server", "interrupted"},
    {"microseconds_added", "tell it a time of day"},
    {"renews_by_wall_clock", "interrupted"},
}};

/// Null: the search knows.
const NotSearched* not_searched(const Entry& entry) {
    const auto* row = std::ranges::find(kNotSearched, entry.algorithm.name, &NotSearched::name);
    return row == kNotSearched.end() ? nullptr : row;
}

class CorpusMutantSearch : public testing::TestWithParam<const Entry*> {};

/// Of several ways that are equally short the search shows one. On this lock's, the holder whose
/// count another overwrote also renews what the other wrote.
constexpr std::pair<std::string_view, std::string_view> kEitherCause{"counts_back_too_far",
                                                                     "foreign_renewal"};

TEST_P(CorpusMutantSearch, breaks_as_it_says) {
    const Entry& entry = *GetParam();
    const bool is_broken = entry.expected == Expected::broken;
    const Proof proof = proof_of(entry.algorithm, budget_of(entry.faults), kMostToBreak);
    if (const NotSearched* row = not_searched(entry)) {
        EXPECT_EQ(name_of(proof.verdict), name_of(Verdict::unknown));
        EXPECT_NE(proof.why_unknown.find(row->why), std::string::npos) << proof.why_unknown;
        return;
    }
    ASSERT_EQ(name_of(proof.verdict), name_of(is_broken ? Verdict::violated : Verdict::stuck))
        << proof.why_unknown << " " << entry.sentence;
    Explored found;
    found.algorithm = &entry.algorithm;
    found.bounds = proof.shown().bounds;
    found.result = proof.shown().result;
    show_witness(found, testing::TempDir());
    EXPECT_EQ(name_of(found.result.verdict), name_of(proof.verdict)) << "seen on the stage, too";
    const auto [lock, cause] = kEitherCause;
    if (entry.algorithm.name == lock && cause_of(found) == cause) return;
    EXPECT_EQ(cause_of(found), is_broken ? name_of(entry.cause) : "");
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusMutantSearch,
                         testing::ValuesIn(expected_to_be({Expected::broken, Expected::stuck})),
                         case_name);

class CorpusCorrectSearch : public testing::TestWithParam<const Entry*> {};

TEST_P(CorpusCorrectSearch, is_not_accused) {
    const Entry& entry = *GetParam();
    for (const FaultBudget& budget : budgets_of(entry)) {
        const Proof proof = proof_of(entry.algorithm, budget, kMostToHold);
        if (proof.verdict == Verdict::holds) continue;
        // The search may not know, and then says why.
        EXPECT_EQ(name_of(proof.verdict), name_of(Verdict::unknown)) << to_string(budget);
        EXPECT_NE(proof.why_unknown, "") << to_string(budget);
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusCorrectSearch,
                         testing::ValuesIn(expected_to_be({Expected::correct})), case_name);

/// Every parent, with every F of one of its mutants, once.
using ParentUnder = std::pair<const Algorithm*, std::vector<Hazard>>;

std::vector<ParentUnder> parents() {
    std::vector<ParentUnder> all;
    for (const Entry* entry : expected_to_be({Expected::broken, Expected::stuck})) {
        ParentUnder pair{&parent_of(*entry), entry->faults};
        std::erase(pair.second, Hazard::contention);
        if (std::ranges::find(all, pair) == all.end()) all.push_back(std::move(pair));
    }
    return all;
}

class CorpusParent : public testing::TestWithParam<ParentUnder> {};

/// And not vacuously, or it would be unknown.
TEST_P(CorpusParent, holds_where_its_mutants_break) {
    const auto& [algorithm, faults] = GetParam();
    const Proof proof = proof_of(*algorithm, budget_of(faults), kMostOfAParent);
    // Some pairs of faults have more states than a mutant may have until it breaks.
    if (proof.verdict == Verdict::unknown && proof.why_unknown == "interrupted") return;
    EXPECT_EQ(name_of(proof.verdict), name_of(Verdict::holds)) << proof.why_unknown;
}

std::string parent_name(const testing::TestParamInfo<ParentUnder>& one) {
    std::string name(one.param.first->name);
    for (const Hazard hazard : one.param.second) name += "_" + std::string(name_of(hazard));
    return name;
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusParent, testing::ValuesIn(parents()), parent_name);

}  // namespace
}  // namespace locklab::corpus
