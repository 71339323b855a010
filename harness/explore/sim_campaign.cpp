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

/// Runs repeated at the end, after more and more other runs: the first, second, fourth...
bool is_made_again(std::uint64_t run) { return (run & (run + 1)) == 0; }

/// Makes runs of one campaign, in threads.
class RunMaker {
public:
    RunMaker(const RunSpec& spec, const SpecOfRun& of_run, std::uint64_t seed, const StopFlag& stop)
        : of_run_(of_run), seed_(seed), stop_(stop) {
        for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
            runners_.push_back(std::make_unique<SimRunner>(spec));
        }
    }

    /// Runs `first` to `first + size - 1`. After one that hit a bound, some may be missing.
    std::vector<MadeRun> make(std::uint64_t first, std::size_t size) {
        std::vector<MadeRun> batch(size);
        in_threads(runners_.size(), [&](std::size_t i) { make_share(i, first, batch); });
        return batch;
    }
    /// A runner that is set for this run.
    SimRunner& runner_for(std::uint64_t run) {
        if (of_run_) runners_[0]->change_to(of_run_(run, run));
        return *runners_[0];
    }
    std::uint64_t seed() const { return seed_; }
    /// Also the digest of this run is told.
    void tell_digest_of(std::uint64_t run) { told_ = run; }

private:
    /// One thread's share of a batch: every nth run, so that no lock is needed.
    void make_share(std::size_t share, std::uint64_t first, std::vector<MadeRun>& batch) {
        SimRunner& runner = *runners_[share];
        for (std::size_t i = share; i < batch.size(); i += runners_.size()) {
            if (stop_) return;
            try {
                const std::uint64_t run = first + i;
                if (of_run_) runner.change_to(of_run_(run, run));
                const bool taped = run < kBatch || run % kRunsPerTape == 0;
                const History history =
                    (taped ? runner.run_taped(seed_, run) : runner.run(seed_, run)).history;
                if (is_made_again(run) || run == told_) batch[i].digest = digest_of(history);
                batch[i].report = report_run(history);
            } catch (const BoundHit& bound) {
                batch[i].bound = bound.what();
                return;
            }
        }
    }

    std::vector<std::unique_ptr<SimRunner>> runners_;
    const SpecOfRun& of_run_;
    const std::uint64_t seed_;
    const StopFlag& stop_;
    std::uint64_t told_ = 0;
};

/// Digests of some runs: repeated in the end, these must give the same, whatever ran in between.
class MadeAgain {
public:
    void keep(std::uint64_t run, std::uint64_t digest) {
        if (digest != 0) digests_.emplace_back(run, digest);
    }
    /// Why nothing is known, if one differs; else empty.
    std::string look(RunMaker& maker) const {
        for (const auto& [run, digest] : digests_) {
            const History history = maker.runner_for(run).run(maker.seed(), run).history;
            if (digest_of(history) != digest) return why_another_now(run);
        }
        return {};
    }

private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> digests_;
};

/// Repeats the witness: what a campaign says it has found must be there again.
void look_again(RunMaker& maker, CampaignCount& count) {
    const auto witness = count.witness();
    if (!witness) return;
    SimRunner& runner = maker.runner_for(*witness);
    count.see_witness_again(report_run(runner.run_taped(maker.seed(), *witness).history));
}

}  // namespace

CampaignCount run_sim_campaign(const RunSpec& spec, const CampaignGoal& goal, const StopFlag& stop,
                               const Progress& progress, const SpecOfRun& of_run,
                               const MadeElsewhere& elsewhere) {
    FaultBudget expected = spec.budget;
    if (spec.pauses.every > Duration::zero()) ++expected[Hazard::pause];
    CampaignCount count(spec, expected);
    RunMaker maker(spec, of_run, goal.seed, stop);
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
        const std::vector<MadeRun> batch =
            elsewhere ? elsewhere(next, size) : maker.make(next, size);
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
    if (!stop) count.show_nothing(again.look(maker));
    look_again(maker, count);
    return count;
}

std::string make_sim_runs(const RunSpec& spec, std::uint64_t seed, std::uint64_t first,
                          std::uint64_t end, const StopFlag& stop, const SpecOfRun& of_run,
                          const TakeRun& take) {
    RunMaker maker(spec, of_run, seed, stop);
    maker.tell_digest_of(first);
    MadeAgain again;
    for (std::uint64_t next = first; next < end && !stop; next += kBatch) {
        for (const MadeRun& made : maker.make(next, std::min(kBatch, end - next))) {
            if (stop) return {};
            take(made);
            if (!made.report) return {};
            again.keep(made.report->run, made.digest);
        }
    }
    return stop ? std::string() : again.look(maker);
}

}  // namespace locklab
