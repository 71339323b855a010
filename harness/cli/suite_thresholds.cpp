// The suite's thresholds: for each lock the least that breaks it, as explore --thresholds does.

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <thread>

#include "algorithms/registry.h"
#include "harness/cli/counted.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/scene_report.h"
#include "harness/cli/suite.h"
#include "harness/cli/threshold_report.h"
#include "harness/explore/in_threads.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// How far the searches go.
struct Reach {
    /// Nothing: the searches that `explore` makes by itself.
    std::optional<std::uint32_t> clients;
    std::uint32_t most_faults = 1;
    bool least_amounts = true;
    /// Locks that read the wall clock, too, whose states are far more.
    bool with_clocks = true;
    /// Several faults of locks that are taken again, too, whose states are most of all.
    bool with_again = false;
};

/// What can be exhausted in some minutes: what proves single faults, and pairs of two clients.
std::vector<Reach> reaches(const SuiteSize& size) {
    if (size.is_tried_out()) return {{2U, 1, false}};
    // The first proves, and leaves the least amounts to the next, which is shorter.
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
    // Besides, what takes the lock again, as `explore` has it.
    std::erase_if(question.searches, [](const Bounds& search) { return !search.takes_again; });
    question.searches.insert(question.searches.begin(), bounds);
    return question;
}

/// The row's object, with its witnesses named from the folder of the run.
nlohmann::ordered_json row_of(const Thresholds& found, const std::vector<Explored>& witnesses,
                              std::uint32_t most_faults, double took) {
    nlohmann::ordered_json row = thresholds_json(found, witnesses);
    row["most_faults"] = most_faults;
    row["seconds"] = took;
    for (nlohmann::ordered_json& set : row["minimal"]) {
        const fs::path file = set["witness"].get<std::string>();
        set["witness"] = "traces/" + file.filename().string();
    }
    return row;
}

/// The one hazard of a budget with a single fault, or contention of one with none.
std::optional<Hazard> only_hazard(const FaultBudget& budget) {
    std::optional<Hazard> only;
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        if (only || budget[row.hazard] > 1) return std::nullopt;
        only = row.hazard;
    }
    return only.value_or(Hazard::contention);
}

/// Keeps the shortest witness of each lock, hazard and verdict as the report shows it.
void keep_shortest(const std::vector<Explored>& found, nlohmann::ordered_json& witnesses) {
    for (const Explored& explored : found) {
        const std::optional<Hazard> hazard = only_hazard(explored.bounds.faults);
        if (!hazard) continue;
        const nlohmann::ordered_json key{{"algorithm", explored.algorithm->name},
                                         {"hazard", name_of(*hazard)},
                                         {"verdict", name_of(explored.result.verdict)}};
        const auto known = std::find_if(witnesses.begin(), witnesses.end(), [&](const auto& row) {
            return std::all_of(key.items().begin(), key.items().end(), [&](const auto& item) {
                return row.at(item.key()) == item.value();
            });
        });
        const std::size_t length = explored.result.witness.steps.size();
        if (known != witnesses.end() && known->at("length") <= length) continue;
        nlohmann::ordered_json row = key;
        row["length"] = length;
        row["clients"] = explored.bounds.clients;
        row["cause"] = cause_of(explored);
        row["replay"] = explored.replay;
        row.update(scene_json(*explored.scene));
        if (known == witnesses.end()) {
            witnesses.push_back(std::move(row));
        } else {
            *known = std::move(row);
        }
    }
}

/// What came of one lock.
struct SearchedLock {
    const Algorithm* algorithm = nullptr;
    ThresholdQuestion question;
    ThresholdPair found;
    std::array<std::vector<Explored>, 2> witnesses;  ///< of exclusion, of progress
    double seconds = 0;

    std::array<const Thresholds*, 2> questions() const {
        return {&found.exclusion, &found.progress};
    }
};

/// Of the locks that are searched at once: each search may take all of its memory (SearchLimits).
constexpr std::size_t kSideBySide = 4;

/// Each lock is searched by one thread: levels of states are too small to be shared by several.
/// Those that renew take longest, so they come first; what is found is in the registry's order.
std::vector<SearchedLock> search_all(const Reach& reach, const fs::path& traces,
                                     SuiteProgress& progress) {
    std::vector<SearchedLock> all;
    for (const Algorithm& algorithm : algorithms()) {
        if (!reach.with_clocks && algorithm.reads_wall_clock) continue;
        all.push_back({&algorithm, question_of(algorithm, reach), {}, {}, 0});
    }
    std::vector<SearchedLock*> waiting;
    for (const bool slow : {true, false}) {
        for (SearchedLock& one : all) {
            const bool is_slow = one.algorithm->renews || one.algorithm->reads_wall_clock;
            if (is_slow == slow) waiting.push_back(&one);
        }
    }
    const std::string said = "sets of up to " + counted(reach.most_faults, "fault");
    std::mutex telling;
    std::size_t begun = 0;
    std::size_t done = 0;
    const auto next = [&]() -> SearchedLock* {
        const std::lock_guard one_at_a_time(telling);
        return begun < waiting.size() && !interrupt_flag() ? waiting[begun++] : nullptr;
    };
    const auto show = [&](const SearchedLock& one, const std::string& more) {
        const std::lock_guard one_at_a_time(telling);
        progress.show(said + ", " + std::string(one.algorithm->name) + more, done, all.size());
    };
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    in_threads(std::min(processors, kSideBySide), [&](std::size_t) {
        while (SearchedLock* const one = next()) {
            show(*one, "");
            const Stopwatch stopwatch;
            one->found = find_thresholds(*one->algorithm, one->question, SearchLimits(),
                                         interrupt_flag(), [&](const SearchProgress& now) {
                                             show(*one, ", " + counted(now.states, "state"));
                                         });
            one->seconds = stopwatch.seconds();
            const std::lock_guard one_at_a_time(telling);
            if (!one->found.progress.complete) return;  // interrupted
            for (std::size_t i = 0; i < one->witnesses.size(); ++i) {
                one->witnesses[i] = threshold_witnesses(*one->questions()[i], traces);
            }
            ++done;
        }
    });
    return all;
}

}  // namespace

void run_threshold_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                           SuiteResult& result) {
    const fs::path traces = context.folder / "traces";
    std::error_code error;
    fs::create_directories(traces, error);
    for (const Reach& reach : reaches(context.size)) {
        for (const SearchedLock& one : search_all(reach, traces, progress)) {
            if (!one.found.progress.complete) continue;  // interrupted
            for (std::size_t i = 0; i < one.witnesses.size(); ++i) {
                result.thresholds.push_back(row_of(*one.questions()[i], one.witnesses[i],
                                                   one.question.most_faults, one.seconds));
                keep_shortest(one.witnesses[i], result.witnesses);
            }
        }
        if (interrupt_flag()) return;
        progress.can_draw();
    }
}

}  // namespace locklab
