// The suite's thresholds: for each lock the least sets of faults that break it, as explore
// --thresholds finds them.

#include <algorithm>
#include <array>
#include <optional>

#include "algorithms/registry.h"
#include "harness/campaign/threshold_runs.h"
#include "harness/core/counted.h"
#include "harness/play/threshold_text.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// Bounds of the searches.
struct Reach {
    /// Nothing: the default searches of `explore`.
    std::optional<std::uint32_t> clients;
    std::uint32_t most_faults = 1;
    bool least_amounts = true;
    /// Also locks that read the wall clock, which have far more states.
    bool with_clocks = true;
    /// Also several faults for reentrant locks, which have most states of all.
    bool with_again = false;
};

/// Searches that take some minutes: proofs for single faults, and pairs of faults with two clients.
std::vector<Reach> reaches(const SuiteSize& size) {
    if (size.is_tried_out()) return {{2U, 1, false}};
    // The first proves; the least amounts are left to the next, which is shorter.
    const bool full = size.mode == "full";
    std::vector<Reach> all{{{}, 1, false}, {2U, 2, true, true, full}};
    if (full) all.push_back({3U, 2, true, false, true});
    return all;
}

ThresholdQuestion question_of(const Algorithm& algorithm, const Reach& reach) {
    ThresholdQuestion question{searches_for(algorithm), reach.most_faults, reach.least_amounts};
    if (!reach.clients) return question;
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = *reach.clients;
    bounds.leaves = 1;
    if (algorithm.reentrant && !reach.with_again) question.most_faults = 1;
    // In addition the searches that take the lock again, as in `explore`.
    std::erase_if(question.searches, [](const Bounds& search) { return !search.takes_again; });
    question.searches.insert(question.searches.begin(), bounds);
    return question;
}

/// Names its witnesses relative to the folder of the run.
ThresholdRow row_of(const Thresholds& found, const std::vector<Explored>& witnesses,
                    const ThresholdRun& run) {
    ThresholdRow row = threshold_row(found, witnesses);
    row.most_faults = run.question.most_faults;
    row.seconds = run.seconds;
    for (MinimalSetRow& set : row.minimal) {
        set.witness = "traces/" + fs::path(set.witness).filename().string();
    }
    return row;
}

/// The only hazard of a budget with a single fault, or contention if there is none.
std::optional<Hazard> only_hazard(const FaultBudget& budget) {
    std::optional<Hazard> only;
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        if (only || budget[row.hazard] > 1) return std::nullopt;
        only = row.hazard;
    }
    return only.value_or(kNoFault);
}

/// Keeps the shortest witness of each lock, hazard and verdict, in the report's form.
void keep_shortest(const std::vector<Explored>& found, std::vector<WitnessRow>& witnesses) {
    for (const Explored& explored : found) {
        const std::optional<Hazard> hazard = only_hazard(explored.bounds.faults);
        if (!hazard) continue;
        const auto known = std::ranges::find_if(witnesses, [&](const WitnessRow& row) {
            return row.algorithm == explored.algorithm->name && row.hazard == *hazard &&
                   row.verdict == explored.result.verdict;
        });
        const std::size_t length = explored.result.witness.steps.size();
        if (known != witnesses.end() && known->length <= length) continue;
        WitnessRow row{std::string(explored.algorithm->name),
                       *hazard,
                       explored.result.verdict,
                       length,
                       explored.bounds.clients,
                       cause_of(explored),
                       explored.replay,
                       scene_row(*explored.scene)};
        if (known == witnesses.end()) {
            witnesses.push_back(std::move(row));
        } else {
            *known = std::move(row);
        }
    }
}

std::array<const Thresholds*, 2> questions_of(const ThresholdRun& run) {
    return {&run.found.exclusion, &run.found.progress};
}

/// Of one lock: for exclusion, and for progress.
using BothWitnesses = std::array<std::vector<Explored>, 2>;

/// All locks within reach, in the registry's order.
std::vector<ThresholdRun> runs_of(const Reach& reach) {
    std::vector<ThresholdRun> runs;
    for (const Algorithm& algorithm : algorithms()) {
        if (!reach.with_clocks && algorithm.reads_wall_clock) continue;
        runs.push_back({&algorithm, question_of(algorithm, reach), {}, 0});
    }
    return runs;
}

}  // namespace

std::vector<ThresholdRow> threshold_rows(std::vector<ThresholdRun>& runs,
                                         const SuiteContext& context, SuiteProgress& progress,
                                         std::vector<WitnessRow>& shortest) {
    const fs::path traces = context.folder / "traces";
    std::error_code error;
    fs::create_directories(traces, error);
    std::vector<BothWitnesses> witnesses(runs.size());
    const std::string said =
        "sets of up to " + counted(runs.empty() ? 0 : runs[0].question.most_faults, "fault") + ", ";
    const auto show = [&](const std::string& what, std::size_t done) {
        progress.show(said + what, done, runs.size());
    };
    const auto play = [&](const ThresholdRun& run) {
        BothWitnesses& its = witnesses[static_cast<std::size_t>(&run - runs.data())];
        for (std::size_t i = 0; i < its.size(); ++i) {
            its[i] = threshold_witnesses(*questions_of(run)[i], traces);
        }
    };
    run_thresholds(runs, *context.watcher.stop, {show, play});
    std::vector<ThresholdRow> rows;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        if (!runs[k].complete()) continue;  // interrupted
        for (std::size_t i = 0; i < witnesses[k].size(); ++i) {
            rows.push_back(row_of(*questions_of(runs[k])[i], witnesses[k][i], runs[k]));
            keep_shortest(witnesses[k][i], shortest);
        }
    }
    return rows;
}

void run_threshold_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                           SuiteResult& result) {
    for (const Reach& reach : reaches(context.size)) {
        std::vector<ThresholdRun> runs = runs_of(reach);
        std::erase_if(runs, [&](const ThresholdRun& run) {
            return !context.has(place_of_lock(run.algorithm->name));
        });
        for (ThresholdRow& row : threshold_rows(runs, context, progress, result.witnesses)) {
            result.thresholds.push_back(std::move(row));
        }
        if (context.watcher.stopped()) return;
        progress.can_draw();
    }
    std::ranges::stable_sort(result.witnesses, {},
                             [](const WitnessRow& row) { return place_of_lock(row.algorithm); });
}

std::uint64_t place_of_lock(std::string_view algorithm) {
    std::uint64_t place = 0;
    for (const Algorithm& each : algorithms()) {
        if (each.name == algorithm) break;
        ++place;
    }
    return place;
}

std::vector<std::string_view> locks_of_thresholds(const SuiteSize& size) {
    std::vector<std::string_view> locks;
    for (const Reach& reach : reaches(size)) {
        for (const ThresholdRun& run : runs_of(reach)) {
            locks.insert(locks.end(), questions_of(run).size(), run.algorithm->name);
        }
    }
    return locks;
}

}  // namespace locklab
