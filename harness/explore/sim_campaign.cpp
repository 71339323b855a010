#include "harness/explore/sim_campaign.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/core/limits.h"
#include "harness/explore/in_threads.h"
#include "harness/explore/outside.h"
#include "harness/explore/sim_run.h"

namespace locklab {

namespace {

/// Runs given to the threads at a time. Affects the result only in that runs past the goal are
/// discarded.
constexpr std::uint64_t kBatch = 64;

/// The first batch is taped, and then one run in this many: a tape costs as much as two more runs.
/// State kept outside of a lock's object shows in the run that first changes it.
constexpr std::uint64_t kRunsPerTape = 128;

/// A run of a batch.
struct Done {
    std::optional<RunReport> report;
    std::string bound;         ///< message of the bound that it hit; else empty
    std::uint64_t digest = 0;  ///< if the run is to be repeated
};

/// Runs repeated at the end, after more and more other runs: the first, second, fourth...
bool is_made_again(std::uint64_t run) { return (run & (run + 1)) == 0; }

/// One thread's share of a batch: every nth run, so that no lock is needed.
void run_share(SimRunner& runner, const SpecOfRun& of_run, std::uint64_t seed, std::uint64_t first,
               std::size_t share, std::size_t shares, const StopFlag& stop,
               std::vector<Done>& batch) {
    for (std::size_t i = share; i < batch.size(); i += shares) {
        if (stop) return;
        try {
            if (of_run) runner.change_to(of_run(first + i, first + i));
            const std::uint64_t run = first + i;
            const bool taped = run < kBatch || run % kRunsPerTape == 0;
            const History history =
                (taped ? runner.run_taped(seed, run) : runner.run(seed, run)).history;
            if (is_made_again(run)) batch[i].digest = digest_of(history);
            batch[i].report = report_run(history);
        } catch (const BoundHit& bound) {
            batch[i].bound = bound.what();
            return;
        }
    }
}

/// Digests of some runs: repeated in the end, these must give the same, whatever ran in between.
class MadeAgain {
public:
    void keep(std::uint64_t run, std::uint64_t digest) {
        if (is_made_again(run)) digests_.emplace_back(run, digest);
    }
    void look(SimRunner& runner, const SpecOfRun& of_run, std::uint64_t seed,
              CampaignCount& count) const {
        for (const auto& [run, digest] : digests_) {
            if (of_run) runner.change_to(of_run(run, run));
            if (digest_of(runner.run(seed, run).history) == digest) continue;
            count.show_nothing(why_another_now(run));
            return;
        }
    }

private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> digests_;
};

/// Repeats the witness: what a campaign says it has found must be there again.
void look_again(SimRunner& runner, const SpecOfRun& of_run, std::uint64_t seed,
                CampaignCount& count) {
    const auto witness = count.witness();
    if (!witness) return;
    if (of_run) runner.change_to(of_run(*witness, *witness));
    count.see_witness_again(report_run(runner.run_taped(seed, *witness).history));
}

}  // namespace

CampaignCount run_sim_campaign(const RunSpec& spec, const CampaignGoal& goal, const StopFlag& stop,
                               const Progress& progress, const SpecOfRun& of_run) {
    FaultBudget expected = spec.budget;
    if (spec.pauses.every > Duration::zero()) ++expected[Hazard::pause];
    CampaignCount count(spec, expected);
    std::vector<std::unique_ptr<SimRunner>> runners;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        runners.push_back(std::make_unique<SimRunner>(spec));
    }
    std::uint64_t next = 0;
    bool cut_short = false;
    MadeAgain again;
    const auto left = [&](std::uint64_t done) -> std::uint64_t {
        const bool is_reached = done >= goal.most_runs || count.tally().grants() >= goal.grants;
        if (!is_reached) return goal.most_runs - done;
        if (!goal.full || done >= kMostFullRuns) return 0;
        return std::min(count.runs_to(kFullLeavesOpen), kMostFullRuns - done);
    };
    while (!cut_short && left(next) > 0) {
        const std::size_t size = std::min(kBatch, left(next));
        std::vector<Done> batch(size);
        in_threads(runners.size(), [&](std::size_t i) {
            run_share(*runners[i], of_run, goal.seed, next, i, runners.size(), stop, batch);
        });
        for (std::size_t i = 0; i < size && left(next + i) > 0; ++i) {
            if (!batch[i].report) {
                count.cut_short(batch[i].bound);
                cut_short = true;
                break;
            }
            again.keep(next + i, batch[i].digest);
            count.add(*batch[i].report);
        }
        next += size;
        if (progress) progress(count.tally().grants());
    }
    if (!stop) again.look(*runners[0], of_run, goal.seed, count);
    look_again(*runners[0], of_run, goal.seed, count);
    return count;
}

}  // namespace locklab
