// A lock whose scripts go out by their digests is as safe as its row says: in searches, on the
// stage, and in random runs. tests/explore/two_forms_test.cpp has the same locks.
//
// LOCKLAB_EVERY_CELL=1 asks of every lock and hazard, with as many runs as of the rows themselves.

#include "tests/algorithms/by_digest.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "harness/explore/sim_campaign.h"
#include "tests/explore/proof_run.h"

namespace locklab::by_digest_test {
namespace {

const StopFlag kNeverStop{false};

bool every_cell() { return std::getenv("LOCKLAB_EVERY_CELL") != nullptr; }

struct Cell {
    const Algorithm* algorithm;
    Hazard hazard;
    bool is_safe;

    FaultBudget faults() const {
        FaultBudget faults;
        if (hazard != Hazard::contention) faults[hazard] = 1;
        return faults;
    }
};

/// Of the locks of several servers two differ in what they ask, and the others in what they leave
/// out.
bool is_asked(const Algorithm& lock) {
    return every_cell() || lock.redis_servers < 2 || lock.name == "redlock_by_digest" ||
           lock.name == "redlock_in_turn_by_digest";
}

std::vector<Cell> cells() {
    std::vector<Cell> all;
    for (const Algorithm& lock : locks_by_digest()) {
        if (!is_asked(lock)) continue;
        for (const HazardRow& row : kHazards) {
            const bool is_safe = lock.safe_under.contains(row.hazard);
            if (is_safe || lock.broken_by.contains(row.hazard)) {
                all.push_back({&lock, row.hazard, is_safe});
            }
        }
    }
    return all;
}

/// Of every lock what breaks it, which is soon found, and of one that renews nothing what it
/// survives: that takes all its states. A late reply breaks locks of several servers far away.
std::vector<Cell> cells_to_search() {
    std::vector<Cell> some = cells();
    std::erase_if(some, [](const Cell& cell) {
        return is_not_searched(*cell.algorithm, cell.hazard) ||
               is_out_of_reach(*cell.algorithm, cell.hazard);
    });
    if (every_cell()) return some;
    std::erase_if(some, [](const Cell& cell) {
        const bool is_far = cell.hazard == Hazard::delay_reply && cell.algorithm->redis_servers > 1;
        return is_far || (cell.is_safe && cell.algorithm->name != "set_nx_lua_by_digest");
    });
    return some;
}

std::string name_of_cell(const testing::TestParamInfo<Cell>& cell) {
    return std::string(cell.param.algorithm->name) + "_under_" +
           std::string(name_of(cell.param.hazard));
}

class ByDigestSearch : public testing::TestWithParam<Cell> {};

TEST_P(ByDigestSearch, says_what_its_row_says) {
    const Algorithm* const algorithm = GetParam().algorithm;
    const bool is_safe = GetParam().is_safe;
    const Proof proof = prove(*algorithm, GetParam().faults());
    if (is_safe) {
#ifdef LOCKLAB_SMALL_BOUNDS
        if (proof.why_unknown == "out of memory") return;
#endif
        EXPECT_EQ(name_of(proof.verdict), "holds") << proof.why_unknown;
        return;
    }
    ASSERT_TRUE(proof.verdict == Verdict::violated || proof.verdict == Verdict::stuck)
        << name_of(proof.verdict) << " " << proof.why_unknown;
    const Judgement judgement = judged_on_stage(proof);
    EXPECT_EQ(judgement.overlaps > 0, proof.verdict == Verdict::violated);
    EXPECT_EQ(judgement.liveness.stuck, proof.verdict == Verdict::stuck);
}

INSTANTIATE_TEST_SUITE_P(EveryCell, ByDigestSearch, testing::ValuesIn(cells_to_search()),
                         name_of_cell);

class ByDigestRuns : public testing::TestWithParam<Cell> {};

TEST_P(ByDigestRuns, show_what_its_row_says) {
    using std::chrono::milliseconds;
    using std::chrono::seconds;
    const Algorithm* const algorithm = GetParam().algorithm;
    const bool is_safe = GetParam().is_safe;
    LockOptions options = with_ttl(algorithm->defaults, seconds(1));
    options.retry = milliseconds(10);
    const RunSpec spec = make_run_spec(*algorithm, options, seconds(1), GetParam().faults());
    if (is_safe) {
        const std::uint64_t runs = every_cell() ? 600 : 60;
        const CampaignCount count = run_sim_campaign(
            spec, {.seed = 2026, .grants = ~std::uint64_t{0}, .most_runs = runs}, kNeverStop, {});
        EXPECT_EQ(count.verdict(), Verdict::holds) << count.why_unknown();
        return;
    }
    constexpr std::uint64_t kBatch = 64;
    constexpr std::uint64_t kMostRuns = 6'000;
    std::uint64_t runs = 0;
    for (std::uint64_t seed = 1; runs < kMostRuns; ++seed) {
        const CampaignCount count = run_sim_campaign(
            spec, {.seed = seed, .grants = ~std::uint64_t{0}, .most_runs = kBatch}, kNeverStop, {});
        const Verdict verdict = count.verdict();
        if (verdict == Verdict::violated || verdict == Verdict::stuck) return;
        runs += count.tally().runs();
    }
    FAIL() << "its row says that it breaks, and it held in " << runs << " runs";
}

/// All but those that only a search shows.
std::vector<Cell> cells_to_run() {
    std::vector<Cell> some = cells();
    std::erase_if(some, [](const Cell& cell) {
        return cell.algorithm->rarely_broken_by.contains(cell.hazard);
    });
    return some;
}

INSTANTIATE_TEST_SUITE_P(EveryCell, ByDigestRuns, testing::ValuesIn(cells_to_run()), name_of_cell);

/// Scripts that go to all servers at once go by their digests, too.
TEST(LocksByDigest, are_on_several_servers_as_well) {
    for (const Algorithm& lock : redlocks()) {
        const std::string name = std::string(lock.name) + "_by_digest";
        EXPECT_NE(std::ranges::find(locks_by_digest(), name, &Algorithm::name),
                  locks_by_digest().end())
            << name;
    }
}

TEST(LocksByDigest, are_all_that_send_scripts) {
    EXPECT_GE(locks_by_digest().size(), 4U + redlocks().size());
    for (const Algorithm& lock : locks_by_digest()) {
        const std::set<AnsweredCommand> answered = rehearse(lock).answered_under(FaultBudget());
        const auto sends = [&](std::string_view what, const char* error) {
            return std::ranges::any_of(answered, [&](const AnsweredCommand& command) {
                return command.shape.starts_with(what) && command.error == error;
            });
        };
        EXPECT_TRUE(sends("EVALSHA", "NOSCRIPT")) << lock.name;
        EXPECT_TRUE(sends("EVALSHA", "")) << lock.name;
    }
}

}  // namespace
}  // namespace locklab::by_digest_test
