// locklab failovers: how many locks a failover of real servers loses.

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/bench/noise.h"
#include "harness/cli/command_line.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/world_options.h"
#include "harness/core/duration_text.h"
#include "harness/core/nearest.h"
#include "harness/failover/failover_plan.h"
#include "harness/failover/failover_text.h"
#include "harness/live/live_server.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/record/manifest.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// Longer than a promotion may take (run_failover), so that a lock has not expired by then.
constexpr Duration kLeastTtl = std::chrono::seconds(15);
constexpr Duration kMostLag = std::chrono::seconds(1);
/// Rare losses need more runs.
constexpr std::uint64_t kRuns = 60;
constexpr std::uint64_t kRunsWithLosses = 200;

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');) words.push_back(word);
    return words;
}

std::vector<Duration> lags_in(const CommandLine& line) {
    std::vector<Duration> lags;
    for (const std::string& word : words_of(line.get("lag"))) {
        const auto lag = parse_duration(word);
        if (!lag || *lag > kMostLag) {
            throw UsageError("--lag has " + in_quotes(word) +
                             "; right would be times of at most 1s, as --lag 0ms,5ms,50ms");
        }
        lags.push_back(*lag);
    }
    if (lags.empty()) throw UsageError("--lag names none; right would be --lag 0ms,5ms,50ms");
    return lags;
}

std::vector<Safeguard> safeguards_in(const CommandLine& line) {
    std::vector<Safeguard> safeguards;
    for (const std::string& word : words_of(line.get("safeguards"))) {
        safeguards.push_back(safeguard_named(word));
    }
    if (safeguards.empty()) {
        throw UsageError("--safeguards names none; right would be --safeguards none,wait");
    }
    return safeguards;
}

std::uint64_t runs_for(const CommandLine& line, const FailoverCell& cell) {
    if (line.has("runs")) return count_option(line, "runs", 1, 100'000);
    const bool loses = cell.safeguard == Safeguard::none && cell.lag > Duration::zero();
    return loses ? kRunsWithLosses : kRuns;
}

FailoverPlan plan_in(const CommandLine& line) {
    FailoverPlan plan;
    plan.shape.server = start_servers_of(line);
    plan.shape.seed = count_option(line, "seed", 0, ~std::uint64_t{0});
    plan.shape.within = duration_option(line, "within");
    plan.shape.ttl = duration_option(line, "ttl");
    if (plan.shape.within > std::chrono::seconds(5)) {
        throw UsageError("--within is too long; right would be at most 5s");
    }
    if (plan.shape.ttl < kLeastTtl) {
        throw UsageError(
            "--ttl is so short that the lock may expire before there is a new master; "
            "right would be at least " +
            to_string(kLeastTtl));
    }
    plan.at_once = static_cast<std::uint32_t>(count_option(line, "parallel", 1, 64));
    const auto replicas = static_cast<std::uint32_t>(count_option(line, "replicas", 1, 2));
    for (const Safeguard safeguard : safeguards_in(line)) {
        for (const Duration lag : lags_in(line)) {
            const FailoverCell cell{lag, safeguard, replicas};
            plan.parts.push_back({cell, runs_for(line, cell)});
        }
    }
    return plan;
}

nlohmann::ordered_json json_of(const std::vector<FailoverCount>& counts,
                               const std::vector<std::string>& noise) {
    nlohmann::ordered_json json = machine_manifest();
    json["noise"] = noise;
    json["failovers"] = rows_json(counts);
    return json;
}

int exit_code_of(const std::vector<FailoverCount>& counts) {
    bool lost = false;
    bool shows = !counts.empty();
    for (const FailoverCount& count : counts) {
        lost |= count.real.lost > 0 || count.real.twice > 0;
        shows &= count.real.granted > 0;
    }
    if (lost) return kExitViolated;
    return shows && !interrupt_flag() ? kExitHolds : kExitUnknown;
}

}  // namespace

int failovers_verb(const Arguments& arguments) {
    CommandLine line(
        "failovers",
        {{"lag", preset("0ms,5ms,50ms"),
          "how long what the master sends to its replica is held back"},
         {"safeguards", preset("none,wait,min_replicas"), "what is to keep the lock; see below"},
         {"replicas", preset("1"), "1, or 2: then the second one is held back"},
         {"within", preset("200ms"),
          "the master is killed this long after the answer to SET, at most"},
         {"ttl", preset("30s"), "time to live of the lock"},
         {"runs", kText, "failovers of each cell; 200 where locks are lost, else 60"},
         {"parallel", preset("4"), "groups of servers at once"},
         {"seed", preset("1"), "of the instants at which masters are killed"},
         kServerOption,
         {"out", kText, "folder that keeps each failover as it ends; the same command goes on"}},
        0);
    if (!line.parse(arguments)) {
        std::cout << "\nSafeguards:\n";
        for (const SafeguardRow& row : kSafeguards) {
            std::cout << "  " << row.name << "\n      " << row.meaning << "\n";
        }
        return kExitHolds;
    }
    const FailoverPlan plan = plan_in(line);
    const fs::path folder =
        output_folder(line, "out", fs::path(home_folder()) / "results" / "failovers");
    FailoverFile file(folder / "failovers.jsonl");
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    clean_up_after_killed_runs("", watcher);
    const NoiseMeter noise;
    std::vector<FailoverCount> ended;
    const auto keep = [&](const FailoverCount& count) {
        ended.push_back(count);
        write_file(folder / "failovers.json", json_of(ended, noise.sentences(0)).dump(1) + "\n");
        progress.clear();
        std::cerr << failover_line(count) << "\n";
    };
    const std::vector<FailoverCount> counts =
        measure_failovers(plan, file, watcher, keep, run_failover);
    progress.clear();
    if (line.json()) {
        std::cout << json_of(counts, noise.sentences(0)).dump(2) << "\n";
    } else {
        std::cout << failover_table(counts);
        for (const std::string& sentence : noise.sentences(0))
            std::cout << "  " << sentence << "\n";
    }
    if (interrupt_flag()) {
        std::cerr
            << "locklab: interrupted; what is shown was finished before, and the same command "
               "goes on from there\n";
    }
    return exit_code_of(counts);
}

}  // namespace locklab
