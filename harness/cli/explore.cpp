// locklab explore: breaks a lock with the shortest witness, or proves that nothing does within
// bounds.

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <thread>

#include "harness/cli/command_line.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/explore_drivers.h"
#include "harness/cli/explore_options.h"
#include "harness/cli/explore_ranks.h"
#include "harness/cli/explore_shard.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/merge.h"
#include "harness/cli/progress.h"
#include "harness/cli/search_bounds.h"
#include "harness/cli/shard_option.h"
#include "harness/cli/starvation.h"
#include "harness/cli/world_options.h"
#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/core/run_spec.h"
#include "harness/play/explored.h"
#include "harness/play/finding.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/strategies.h"
#include "harness/play/threshold_text.h"
#include "harness/record/home_folder.h"
#include "harness/suite/explored_row.h"
#include "harness/suite/threshold_row.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_svg.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// The question about one lock.
struct Question {
    const Algorithm* algorithm = nullptr;
    std::vector<Bounds> searches;
    std::vector<FaultBudget> faults;
};

SearchLimits limits_of(const CommandLine& line, Ranks* ranks = nullptr) {
    SearchLimits limits;
    limits.ranks = ranks;
    limits.memory = count_option(line, "memory", 1, 1U << 20) << 20;
    limits.threads = static_cast<std::uint32_t>(count_option(line, "threads", 0, 64));
    // As many ranks as processors are started, as a rule.
    if (limits.threads == 0 && ranks != nullptr) limits.threads = 1;
    if (limits.threads == 0) limits.threads = std::max(1U, std::thread::hardware_concurrency());
    return limits;
}

bool is_picture(const CommandLine& line) { return line.has("mermaid") || line.has("svg"); }

/// Throws UsageError if there is no such strategy.
void check_strategy(const std::string& name) {
    const std::array<std::string_view, 6> known{"exhaustive", "random", "pct",
                                                "delay",      "walk",   "plain"};
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw UsageError(unknown_word("strategy", name, known));
}

/// Nothing for strategies that are not random.
std::optional<RandomLimits> random_limits_of(const CommandLine& line) {
    RandomLimits limits;
    limits.schedules = count_option(line, "budget", 1, 1'000'000'000'000);
    limits.seed = count_option(line, "seed", 0, ~std::uint64_t{0});
    limits.changes = static_cast<std::uint32_t>(count_option(line, "changes", 0, 100));
    limits.threads = limits_of(line).threads;
    limits.count = line.has("count");
    for (const Strategy strategy :
         {Strategy::uniform, Strategy::pct, Strategy::delay_bounded, Strategy::walk}) {
        limits.strategy = strategy;
        if (line.get("strategy") == name_of(strategy)) return limits;
    }
    if (limits.count) {
        throw UsageError(
            "--count is for random schedules; right would be, for instance, --strategy walk");
    }
    return std::nullopt;
}

/// Checks the search's options. Throws UsageError.
void check_search(const CommandLine& line, std::span<const Algorithm* const> locks) {
    check_strategy(line.get("strategy"));
    check_client_mode(line, locks);
    random_limits_of(line);
    if (line.has("starvation")) check_starvation(line);
}

/// Bounds that the line does not fix may grow.
Deepening deepening_of(const CommandLine& line) {
    return {!line.has("rounds"), !line.has("clients"), !line.has("attempts")};
}

Bounds first_bounds(const Question& question) {
    Bounds bounds = question.searches[0];
    bounds.faults = question.faults[0];
    return bounds;
}

/// Where the schedules or the states of a search are, if not all here.
struct Elsewhere {
    /// Where random schedules were walked before, or null.
    const std::vector<ShardFolder>* shards = nullptr;
    /// Who shares the states, or null.
    Ranks* ranks = nullptr;

    bool speaks() const { return ranks == nullptr || ranks->speaks(); }
    const StopFlag& stop() const { return ranks == nullptr ? interrupt_flag() : ranks->stop(); }
    ProgressLine::Else progress() const {
        return ranks == nullptr ? ProgressLine::Else::silent : ProgressLine::Else::lines;
    }
    Watcher watcher(ProgressLine& line) const {
        Watcher watcher = speaks() ? watcher_with(line) : Watcher();
        watcher.stop = &stop();
        return watcher;
    }
};

Explored explore_one(const CommandLine& line, const Question& question,
                     const Elsewhere& elsewhere) {
    const Algorithm& algorithm = *question.algorithm;
    const Bounds bounds = first_bounds(question);
    const SearchLimits limits = limits_of(line, elsewhere.ranks);
    const std::optional<RandomLimits> random = random_limits_of(line);
    const bool plain = line.get("strategy") == "plain";
    const std::uint64_t budget = count_option(line, "budget", 1, 1'000'000'000'000);
    ProgressLine progress(elsewhere.progress());
    const Watcher watcher = elsewhere.watcher(progress);
    Explored explored =
        elsewhere.shards != nullptr
            ? explored_by_walks(algorithm, bounds, *random,
                                schedules_in(*elsewhere.shards, {&algorithm, bounds, *random}),
                                watcher)
        : random ? explore_randomly(algorithm, bounds, *random, watcher)
        : plain  ? explore_plainly(algorithm, bounds, budget, watcher)
                 : explore_exhaustively(algorithm, question.searches, question.faults, limits,
                                        watcher, deepening_of(line));
    progress.clear();
    if (line.has("probability")) {
        explored.odds = odds_of(algorithm, explored.bounds, explored.result.witness, limits.memory,
                                interrupt_flag());
    }
    return explored;
}

/// For each lock both questions, one after the other.
int show_thresholds(const CommandLine& line, const std::vector<Question>& questions,
                    const Elsewhere& elsewhere, const fs::path& traces) {
    const SearchLimits limits = limits_of(line, elsewhere.ranks);
    const auto most = static_cast<std::uint32_t>(count_option(line, "most-faults", 1, 4));
    nlohmann::ordered_json json;
    json["thresholds"] = nlohmann::ordered_json::array();
    ProgressLine progress(elsewhere.progress());
    const Watcher watcher = elsewhere.watcher(progress);
    for (std::size_t i = 0; i < questions.size() && !elsewhere.stop(); ++i) {
        const Algorithm& algorithm = *questions[i].algorithm;
        const ThresholdPair found = find_thresholds(
            algorithm, {questions[i].searches, most}, limits, elsewhere.stop(),
            [&](const SearchProgress& now) {
                watcher.show(std::string(algorithm.name) + ": " + std::to_string(now.states) +
                             " states, " + std::to_string(now.waiting) + " to look at");
            });
        progress.clear();
        if (!elsewhere.speaks()) continue;
        for (const Thresholds* one : {&found.exclusion, &found.progress}) {
            json["thresholds"].push_back(
                to_json(threshold_row(*one, threshold_witnesses(*one, traces))));
            if (!line.json()) std::cout << thresholds_text(*one) << std::flush;
        }
    }
    if (line.json()) std::cout << json.dump(2) << "\n";
    return elsewhere.stop() ? kExitUnknown : kExitHolds;
}

/// Throws UsageError.
void check_operand(const CommandLine& line) {
    if (line.operands().empty()) {
        throw UsageError("which lock? right would be: locklab explore ALGORITHM, or all");
    }
    if (line.has("choices") && !names_drivers(line.operands()[0])) {
        throw UsageError("--choices are of lib:NAME or driver:A; right would be to leave it out");
    }
}

int make_shard(const CommandLine& line, const Shard& shard,
               const std::vector<Question>& questions) {
    const std::optional<RandomLimits> limits = random_limits_of(line);
    if (!limits || line.has("starvation")) {
        throw UsageError(
            "a search visits each state once, wherever it comes from, so it has no shards; right "
            "would be --strategy random, pct, delay or walk");
    }
    std::vector<LockSchedules> locks;
    for (const Question& question : questions) {
        locks.push_back({question.algorithm, first_bounds(question), *limits});
    }
    return make_explore_shard(line, shard, locks);
}

/// The text, the JSON or the picture of what was found.
void show(const CommandLine& line, const std::vector<Explored>& all, std::size_t asked) {
    if (line.json()) {
        nlohmann::ordered_json json;
        if (asked == 1) json = to_json(explored_row(all[0]));
        for (const Explored& explored : all) {
            if (asked > 1) json["explorations"].push_back(to_json(explored_row(explored)));
        }
        std::cout << json.dump(2) << "\n";
    } else if (is_picture(line) && all[0].scene) {
        const Timeline timeline = make_timeline(*all[0].scene);
        std::cout << (line.has("svg") ? to_svg(timeline) : to_mermaid(timeline));
    } else if (is_picture(line)) {
        throw UsageError("there is no witness to be drawn: " + std::string(all[0].algorithm->name) +
                         " " + std::string(name_of(all[0].result.verdict)));
    }
}

int run_explore(const Arguments& arguments, const std::vector<ShardFolder>* shards,
                const OpenRanks& open) {
    CommandLine line("explore", explore_options(), 1);
    if (!line.parse(arguments)) return kExitHolds;
    check_operand(line);
    if (shards == nullptr) check_ranks(line);
    if (names_drivers(line.operands()[0])) return explore_drivers(line, arguments);
    const auto named = algorithms_named(line.operands()[0]);
    if (line.has("mermaid") + line.has("svg") + line.json() > 1) {
        throw UsageError("--mermaid, --svg and --json each want stdout; give one of them");
    }
    if (is_picture(line) && named.size() > 1) {
        throw UsageError("a picture is of one lock; right would be its name");
    }
    check_search(line, named);
    std::vector<Question> questions;
    for (const Algorithm* algorithm : named) {
        questions.push_back(
            {algorithm, searches_of(line, *algorithm), faults_of(line, *algorithm)});
    }
    if (const auto shard = shard_option(line, "explore")) {
        return make_shard(line, *shard, questions);
    }
    limits_of(line);
    if (line.has("thresholds") && line.get("strategy") != "exhaustive") {
        throw UsageError("--thresholds are proved, so they are for --strategy exhaustive");
    }
    interrupt_flag();
    const Elsewhere elsewhere{shards, open(arguments)};
    fs::path traces;
    if (elsewhere.speaks()) {
        traces = output_folder(line, "traces", fs::path(home_folder()) / "results" / "traces");
    }
    if (line.has("starvation")) return show_starvation(line, named, traces);
    if (line.has("thresholds")) return show_thresholds(line, questions, elsewhere, traces);
    std::vector<Explored> all;
    for (std::size_t i = 0; i < named.size() && !elsewhere.stop(); ++i) {
        all.push_back(explore_one(line, questions[i], elsewhere));
        if (!elsewhere.speaks()) continue;
        show_witness(all.back(), traces);
        show_findings(all.back(), traces);
        if (line.json() || is_picture(line)) continue;
        std::cout << explored_text(all.back()) << std::flush;
    }
    if (!elsewhere.speaks()) return kExitHolds;
    show(line, all, named.size());
    return exit_code(gravest_of(all));
}

}  // namespace

int explore_verb(const Arguments& arguments) {
    return in_ranks([&](const OpenRanks& open) { return run_explore(arguments, nullptr, open); });
}

int merge_explore(const std::vector<ShardFolder>& shards, const CommandLine& line) {
    return run_explore(words_of_whole(shards[0], line, {"traces", "json"}), &shards,
                       [](const Arguments&) { return nullptr; });
}

}  // namespace locklab
