#include "harness/cli/explore_strategies.h"

#include <algorithm>

#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/stopwatch.h"
#include "harness/explore/every_schedule.h"
#include "harness/explore/shrink.h"

namespace locklab {

namespace {

/// Bytes for the states of a search that is to prove a find: about a second's.
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

/// A random find, made short, and compared with what every state has.
void shrink_find(Explored& explored, std::uint32_t threads) {
    const Algorithm& algorithm = *explored.algorithm;
    Path& witness = explored.result.witness;
    explored.shrunk_from = witness.steps.size();
    witness = shrink(algorithm, explored.bounds, witness);
    SearchLimits limits;
    limits.memory = kProofMemory;
    limits.threads = threads;
    limits.goal = Goal::exclusion;
    const SearchResult found = search_exhaustively(algorithm, explored.bounds, limits,
                                                   interrupt_flag(), [](const SearchProgress&) {});
    if (found.verdict != Verdict::violated) return;
    explored.proved_shortest = true;
    if (found.witness.steps.size() < witness.steps.size()) witness = found.witness;
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

Explored explore_exhaustively(const Algorithm& algorithm, const Bounds& bounds,
                              const SearchLimits& limits) {
    Explored explored = explored_by(algorithm, bounds, "exhaustive");
    ProgressLine progress;
    const Stopwatch watch;
    explored.result = search_exhaustively(
        algorithm, bounds, limits, interrupt_flag(), [&](const SearchProgress& now) {
            const double seconds = std::max(watch.seconds(), 1e-3);
            const auto rate = static_cast<int>(static_cast<double>(now.states) / seconds / 1000);
            progress.show(std::string(algorithm.name) + ": " + std::to_string(now.states) +
                          " states, " + std::to_string(now.waiting) + " to look at, " +
                          std::to_string(rate) + " k/s, " + std::to_string(now.memory >> 20) +
                          " MiB");
        });
    explored.seconds = watch.seconds();
    explored.proved_shortest = true;
    return explored;
}

Explored explore_randomly(const Algorithm& algorithm, const Bounds& bounds,
                          const RandomLimits& limits) {
    Explored explored = explored_by(algorithm, bounds, name_of(limits.strategy));
    explored.seed = limits.seed;
    ProgressLine progress;
    const Stopwatch watch;
    const RandomResult found = search_randomly(
        algorithm, bounds, limits, interrupt_flag(),
        [&](std::uint64_t done) { progress.show(of_budget(algorithm, done, limits.schedules)); });
    explored.seconds = watch.seconds();
    explored.schedules = found.schedules;
    if (limits.count) explored.violated_schedules = found.violated;
    explored.result.verdict = found.verdict;
    explored.result.steps = found.steps;
    explored.result.witness = found.witness;
    explored.result.why_unknown = found.why_unknown;
    if (found.verdict == Verdict::violated) {
        shrink_find(explored, limits.threads);
    } else if (found.why_unknown.empty()) {
        explored.result.why_unknown = "random schedules that show nothing prove nothing";
    }
    return explored;
}

Explored explore_plainly(const Algorithm& algorithm, const Bounds& bounds, std::uint64_t budget) {
    Explored explored = explored_by(algorithm, bounds, "plain");
    ProgressLine progress;
    const Stopwatch watch;
    const Schedules found = every_schedule(
        algorithm, bounds, budget, interrupt_flag(),
        [&](std::uint64_t done) { progress.show(of_budget(algorithm, done, budget)); });
    explored.seconds = watch.seconds();
    explored.schedules = found.count;
    explored.violated_schedules = found.violated;
    explored.proved_shortest = found.complete;
    explored.result.steps = found.steps;
    explored.result.exhausted = found.complete;
    explored.result.witness = found.shortest;
    if (found.violated > 0) {
        explored.result.verdict = Verdict::violated;
    } else if (!found.complete) {
        explored.result.why_unknown = "there are more schedules than --budget";
        if (interrupt_flag()) explored.result.why_unknown = "interrupted";
    } else {
        explored.result.verdict = Verdict::holds;
        refuse_idle_faults(algorithm, bounds, explored.result);
    }
    return explored;
}

}  // namespace locklab
