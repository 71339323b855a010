#include "harness/play/strategies.h"

#include <algorithm>
#include <stdexcept>

#include "harness/core/fault_text.h"
#include "harness/explore/every_schedule.h"
#include "harness/explore/outside.h"
#include "harness/explore/shrink.h"
#include "harness/record/stopwatch.h"

namespace locklab {

namespace {

/// Memory for the states of a search that is to prove a witness shortest: about a second's work.
constexpr std::uint64_t kProofMemory = std::uint64_t{128} << 20;

Explored explored_by(const Algorithm& algorithm, const Bounds& bounds, std::string_view strategy) {
    Explored explored;
    explored.algorithm = &algorithm;
    explored.bounds = bounds;
    explored.strategy = strategy;
    return explored;
}

std::string of_budget(const Algorithm& algorithm, std::uint64_t done, std::uint64_t budget) {
    return std::string(algorithm.name) + ": " + std::to_string(done) + " of " +
           std::to_string(budget) + " schedules";
}

/// Shrinks a random witness, and compares it with an exhaustive search.
void shrink_find(Explored& explored, std::uint32_t threads, const Watcher& watcher) {
    const Algorithm& algorithm = *explored.algorithm;
    Path& witness = explored.result.witness;
    explored.shrunk_from = witness.steps.size();
    witness = shrink(algorithm, explored.bounds, witness);
    SearchLimits limits;
    limits.memory = kProofMemory;
    limits.threads = threads;
    limits.goal = Goal::exclusion;
    const SearchResult found = search_exhaustively(algorithm, explored.bounds, limits,
                                                   *watcher.stop, [](const SearchProgress&) {});
    if (found.verdict != Verdict::violated) return;
    explored.proved_shortest = true;
    if (found.witness.steps.size() < witness.steps.size()) witness = found.witness;
}

/// Verdict and witness are those of one search; the counts are sums over all.
void take_result(Explored& explored, std::size_t decisive) {
    if (explored.proofs.empty()) {
        explored.result.why_unknown = "interrupted";
        return;
    }
    const Proof& proof = explored.proofs[decisive];
    SearchResult result = proof.shown().result;
    explored.bounds = proof.shown().bounds;
    result.verdict = proof.verdict;
    result.why_unknown = proof.why_unknown;
    result.states = result.steps = result.client_runs = 0;
    for (const Proof& one : explored.proofs) {
        for (const Searched& searched : one.searches) {
            const SearchResult& its = searched.result;
            result.states += its.states;
            result.steps += its.steps;
            result.client_runs += its.client_runs;
            result.depth = std::max(result.depth, its.depth);
            result.memory = std::max(result.memory, its.memory);
            result.longest_orphan = std::max(result.longest_orphan, its.longest_orphan);
            result.counts_on_waiters = result.counts_on_waiters || its.counts_on_waiters;
        }
    }
    // A stuck client beside a violation comes from the same faults.
    if (proof.verdict == Verdict::violated && proof.stuck) {
        explored.stuck_search = *proof.stuck;
        explored.stuck_proof = decisive;
    }
    explored.result = std::move(result);
}

/// A lock that keeps state outside of its object makes every schedule meaningless.
void refuse_what_is_shared(Explored& explored, const std::string& why) {
    if (why.empty()) return;
    explored.result.verdict = Verdict::unknown;
    explored.result.why_unknown = why;
    explored.result.witness = Path();
}

/// All schedules together are one search, which proves no more than it exercised.
void add_proof(Explored& explored, const Rehearsal& known) {
    Proof proof;
    proof.algorithm = explored.algorithm;
    proof.faults = explored.bounds.faults;
    proof.verdict = explored.result.verdict;
    proof.why_unknown = explored.result.why_unknown;
    proof.coverage = explored.result.coverage;
    proof.searches.push_back({explored.bounds, explored.result, explored.seconds});
    refuse_vacuous(proof, known);
    explored.result.verdict = proof.verdict;
    explored.result.why_unknown = proof.why_unknown;
    explored.proofs.push_back(std::move(proof));
}

/// What was seen before the search, or after it.
std::string why_shared(const Bounds& bounds, const OutsideWatch& watch) {
    return bounds.why_unknown.empty() ? watch.why_now() : bounds.why_unknown;
}

}  // namespace

std::string_view name_of(Strategy strategy) {
    switch (strategy) {
        case Strategy::uniform: return "random";
        case Strategy::pct: return "pct";
        case Strategy::delay_bounded: return "delay";
        case Strategy::walk: return "walk";
    }
    return "";
}

Explored explore_exhaustively(const Algorithm& algorithm, const std::vector<Bounds>& searches,
                              const std::vector<FaultBudget>& faults, const SearchLimits& limits,
                              const Watcher& watcher, const Deepening& deepening) {
    Explored explored = explored_by(algorithm, searches[0], "exhaustive");
    const Prover prover(algorithm, limits);
    const Stopwatch stopwatch;
    std::size_t decisive = 0;
    // Also after an interruption: faults that were not searched get the verdict unknown.
    for (std::size_t i = 0; i < faults.size(); ++i) {
        const std::string what = std::string(algorithm.name) + " under " + to_string(faults[i]) +
                                 " (" + std::to_string(i + 1) + " of " +
                                 std::to_string(faults.size()) + "): ";
        const auto tell = [&](const SearchProgress& now) {
            const double seconds = std::max(stopwatch.seconds(), 1e-3);
            const auto rate = static_cast<int>(static_cast<double>(now.states) / seconds / 1000);
            watcher.show(what + std::to_string(now.states) + " states, " +
                         std::to_string(now.waiting) + " to look at, " + std::to_string(rate) +
                         " k/s, " + std::to_string(now.memory >> 20) + " MiB");
        };
        std::vector<Bounds> with = searches;
        for (Bounds& bounds : with) bounds.set_faults(faults[i]);
        explored.proofs.push_back(prover.prove(with, *watcher.stop, tell));
        prover.deepen(explored.proofs.back(), deepening, *watcher.stop, tell);
        const std::vector<Proof>& proofs = explored.proofs;
        if (is_graver(proofs[i].verdict, proofs[decisive].verdict)) decisive = i;
    }
    explored.seconds = stopwatch.seconds();
    explored.proved_shortest = true;
    take_result(explored, decisive);
    return explored;
}

Explored explore_randomly(const Algorithm& algorithm, const Bounds& bounds,
                          const RandomLimits& limits, const Watcher& watcher) {
    const Stopwatch stopwatch;
    const WalkedSchedules walked = walk_schedules(algorithm, bounds, limits, watcher);
    const double seconds = stopwatch.seconds();
    Explored explored = explored_by_walks(algorithm, bounds, limits, walked, watcher);
    explored.seconds = seconds;
    return explored;
}

WalkedSchedules walk_schedules(const Algorithm& algorithm, const Bounds& bounds,
                               const RandomLimits& limits, const Watcher& watcher) {
    const OutsideWatch watch(algorithm);
    const std::uint64_t all = limits.schedules - limits.first;
    WalkedSchedules walked;
    walked.result =
        search_randomly(algorithm, bounds, limits, *watcher.stop,
                        [&](std::uint64_t done) { watcher.show(of_budget(algorithm, done, all)); });
    walked.why_unknown = why_shared(bounds, watch);
    return walked;
}

Explored explored_by_walks(const Algorithm& algorithm, const Bounds& bounds,
                           const RandomLimits& limits, const WalkedSchedules& walked,
                           const Watcher& watcher) {
    const RandomResult& found = walked.result;
    Explored explored = explored_by(algorithm, bounds, name_of(limits.strategy));
    explored.seed = limits.seed;
    explored.schedules = found.schedules;
    if (limits.count) explored.violated_schedules = found.violated;
    explored.result.verdict = found.verdict;
    explored.result.steps = found.steps;
    explored.result.witness = found.witness;
    explored.result.why_unknown = found.why_unknown;
    if (found.violated == 0 || limits.count) explored.exercised = found.coverage;
    refuse_what_is_shared(explored, walked.why_unknown);
    if (explored.result.verdict == Verdict::violated) {
        shrink_find(explored, limits.threads, watcher);
    } else if (explored.result.why_unknown.empty()) {
        explored.result.why_unknown = "random schedules that show nothing prove nothing";
    }
    return explored;
}

Explored explore_plainly(const Algorithm& algorithm, const Bounds& bounds, std::uint64_t budget,
                         const Watcher& watcher) {
    Explored explored = explored_by(algorithm, bounds, "plain");
    const OutsideWatch watch(algorithm);
    const Rehearsal known = rehearse(algorithm);
    const Stopwatch stopwatch;
    Schedules found;
    std::string why_not;
    try {
        found = every_schedule(algorithm, bounds, budget, *watcher.stop, [&](std::uint64_t done) {
            watcher.show(of_budget(algorithm, done, budget));
        });
    } catch (const std::length_error& error) {
        why_not = error.what();
    }
    explored.seconds = stopwatch.seconds();
    explored.schedules = found.count;
    explored.violated_schedules = found.violated;
    explored.proved_shortest = found.complete;
    explored.result.steps = found.steps;
    explored.result.exhausted = found.complete;
    explored.result.coverage = found.coverage;
    if (!why_not.empty()) {
        explored.result.why_unknown = why_not;
    } else if (found.violated > 0) {
        explored.result.verdict = Verdict::violated;
        explored.result.witness = found.shortest;
    } else if (!found.complete) {
        explored.result.why_unknown = "there are more schedules than --budget";
        if (watcher.stopped()) explored.result.why_unknown = "interrupted";
    } else if (found.stuck > 0) {
        explored.result.verdict = Verdict::stuck;
        explored.result.witness = found.shortest_stuck;
        explored.result.stuck = {found.shortest_stuck, found.stuck_client};
    } else {
        explored.result.verdict = Verdict::holds;
        refuse_idle_faults(algorithm, bounds, explored.result);
    }
    refuse_what_is_shared(
        explored, known.why_unknown.empty() ? why_shared(bounds, watch) : known.why_unknown);
    add_proof(explored, known);
    return explored;
}

}  // namespace locklab
