// Random runs in the simulator say of each lock of the corpus what it says of itself.

#include <algorithm>
#include <array>

#include "harness/core/fault_text.h"
#include "harness/explore/sim_campaign.h"
#include "tests/corpus/corpus_cases.h"

namespace locklab::corpus {
namespace {

#ifdef LOCKLAB_SMALL_BOUNDS
constexpr std::uint64_t kRunsThatHold = 20;
#else
constexpr std::uint64_t kRunsThatHold = 60;
#endif
/// A race that needs luck is looked for in so many runs, a batch at a time.
constexpr std::uint64_t kRunsToBreak = 4'000;
constexpr std::uint64_t kBatch = 32;

const StopFlag kNeverStop{false};

RunSpec spec_of(const Entry& entry, const FaultBudget& budget) {
    const LockOptions& options = entry.algorithm.defaults;
    RunSpec spec = make_run_spec(entry.algorithm, options, Duration::zero(), budget);
    spec.workload.takes_again = entry.reentrant ? Workload::Again::always : Workload::Again::never;
    return spec;
}

CampaignCount run(const RunSpec& spec, std::uint64_t seed, std::uint64_t runs) {
    const CampaignGoal goal{.seed = seed, .grants = ~std::uint64_t{0}, .most_runs = runs};
    return run_sim_campaign(spec, goal, kNeverStop, {});
}

/// What random faults hardly ever meet; the search alone finds it.
constexpr std::array<std::string_view, 5> kRare{
    // Two faults must strike one after the other, and the second must last for just so long.
    "kept_after_unknown",
    // The fault must strike the inner release, and no plan has one for a command of a job.
    "counts_on_the_server",
    // All of another's stay must lie between two commands of one try.
    "draws_before",
    // The restart must come between two clients that wake at about the same time.
    "waits_after_restart",
    // Who was not told tries again at once, when the lease has hardly begun.
    "takes_what_is_left",
};

std::vector<const Entry*> mutants() {
    std::vector<const Entry*> all = expected_to_be({Expected::broken, Expected::stuck});
    std::erase_if(all, [](const Entry* entry) {
        return std::ranges::find(kRare, entry->algorithm.name) != kRare.end();
    });
    return all;
}

class CorpusMutantCampaign : public testing::TestWithParam<const Entry*> {};

TEST_P(CorpusMutantCampaign, breaks_as_it_says) {
    const Entry& entry = *GetParam();
    const RunSpec spec = spec_of(entry, budget_of(entry.faults));
    std::uint64_t runs = 0;
    for (std::uint64_t seed = 1; runs < kRunsToBreak; ++seed) {
        const CampaignCount count = run(spec, seed, kBatch);
        runs += kBatch;
        if (entry.expected == Expected::stuck) {
            ASSERT_NE(count.verdict(), Verdict::violated) << entry.sentence;
            if (count.verdict() == Verdict::stuck) return;
        }
        if (count.verdict() != Verdict::violated) continue;
        // Where a counter of tokens is lost, they alone are out of order.
        const Tally& tally = count.tally();
        const std::uint64_t inversions = tally.fence_inversions();
        const bool is_token = entry.cause == Cause::old_token;
        EXPECT_GT(is_token ? inversions : tally.overlaps() + inversions, 0U);
        if (count.tally().causes()[entry.cause] > 0) return;
        std::string found;
        for (const CauseRow& row : kCauses) {
            const std::uint64_t times = count.tally().causes()[row.cause];
            if (times > 0) found += " " + std::string(row.name) + " " + std::to_string(times);
        }
        FAIL() << "is violated, but never by " << name_of(entry.cause) << ":" << found;
    }
    FAIL() << "holds in " << runs << " runs: " << entry.sentence;
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusMutantCampaign, testing::ValuesIn(mutants()), case_name);

class CorpusCorrectCampaign : public testing::TestWithParam<const Entry*> {};

TEST_P(CorpusCorrectCampaign, is_not_accused) {
    const Entry& entry = *GetParam();
    for (const FaultBudget& budget : budgets_of(entry)) {
        const CampaignCount count = run(spec_of(entry, budget), 2026, kRunsThatHold);
        EXPECT_TRUE(is_clean(count.verdict())) << to_string(budget) << " " << count.why_unknown()
                                               << " run " << count.witness().value_or(0);
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusCorrectCampaign,
                         testing::ValuesIn(expected_to_be({Expected::correct})), case_name);

}  // namespace
}  // namespace locklab::corpus
