#include "harness/cli/explore_drivers.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "harness/cli/driver_subjects.h"
#include "harness/cli/explore_drivers_text.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/world_options.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/core/nearest.h"
#include "harness/foreign/library.h"
#include "harness/foreign/play_faults.h"
#include "harness/foreign/search_threads.h"
#include "harness/foreign/virtual_search.h"
#include "harness/record/files.h"
#include "harness/record/history_json.h"
#include "harness/record/home_folder.h"
#include "harness/record/stopwatch.h"
#include "harness/record/typed.h"
#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_svg.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUsualPlays = 1000;

[[noreturn]] void refuse(const std::string& what, const std::string& right) {
    throw UsageError(what + "; right would be " + right);
}

void check_options(const Arguments& arguments) {
    for (const char* option :
         {"tasks", "leaves", "again", "outage", "timeout", "latency", "client-ttl",
          "client-renewal", "client-job", "client-mode", "lengths", "count", "probability",
          "memory", "starvation", "shard"}) {
        if (!has_word(arguments, "--" + std::string(option))) continue;
        refuse("--" + std::string(option) + " is not for driver processes", "to leave it out");
    }
    if (!has_word(arguments, "--thresholds")) return;
    for (const char* option : {"faults", "choices", "mermaid", "svg"}) {
        if (!has_word(arguments, "--" + std::string(option))) continue;
        refuse("--" + std::string(option) + " is of one search, and --thresholds makes many",
               "to leave one of them out");
    }
}

/// Throws UsageError for a library that no preloaded clock reaches.
void check_reached(const std::string& operand) {
    if (!is_library_row(operand)) return;
    const std::vector<Library> libraries = known_libraries();
    const Library& library = require_library(libraries, operand);
    if (library.why_not_virtual().empty()) return;
    refuse(library.row() + " cannot be searched in virtual time: " + library.why_not_virtual(),
           "./locklab campaign " + library.row() + " --world live");
}

PlayOrder order_of(const CommandLine& line, const Arguments& arguments) {
    if (!has_word(arguments, "--strategy")) return PlayOrder::pct;
    const std::string& name = line.get("strategy");
    const auto found = std::ranges::find(kPlayOrders, name);
    if (found != kPlayOrders.end()) return static_cast<PlayOrder>(found - kPlayOrders.begin());
    if (name == "exhaustive" || name == "plain" || name == "walk") {
        refuse("--strategy " + name + " is not for driver processes, of which no search is whole",
               "--strategy random, pct or delay");
    }
    throw UsageError(unknown_word("strategy", name, kPlayOrders));
}

FaultBudget faults_of_line(const CommandLine& line) {
    FaultBudget faults;
    if (line.has("faults")) faults = parse_faults(line.get("faults"));
    check_faults(faults, FaultWorld::plays, "a search");
    return faults;
}

PlaySpec spec_of(const CommandLine& line, const Subject& subject) {
    const auto number = [&](const char* option, std::uint32_t usual, std::uint64_t most) {
        if (!line.has(option)) return usual;
        return static_cast<std::uint32_t>(count_option(line, option, 1, most));
    };
    PlaySpec spec =
        play_of(subject, faults_of_line(line), count_option(line, "seed", 0, ~std::uint64_t{0}));
    spec.clients = number("clients", spec.clients, 4);
    check_calls(subject, spec.faults);
    const std::optional<Topology> asked = topology_option(line);
    check_servers(subject, asked, FaultWorld::plays);
    spec.nodes = topology_for(subject.row(), asked, {}).masters;
    spec.rounds = number("rounds", spec.rounds, 100);
    spec.attempts = number("attempts", spec.attempts, 100);
    return spec;
}

std::string write_find(const std::string& subject, const PlaySpec& spec, const History& history,
                       const fs::path& folder) {
    std::ostringstream lines;
    write_history(lines, history);
    std::string name = "virtual." + subject + "." + to_string(spec.faults) + ".seed" +
                       std::to_string(spec.seed) + ".jsonl";
    std::ranges::replace(name, ':', '-');
    write_file(folder / name, lines.str());
    return (folder / name).string();
}

/// The exit code is that of an exhaustive search: a set that breaks the lock is no failure.
int show_thresholds(const CommandLine& line, const Subject& subject, const PlaySpec& spec,
                    const VirtualSearchLimits& limits) {
    const std::string& name = line.operands()[0];
    const auto most = static_cast<std::uint32_t>(count_option(line, "most-faults", 1, 4));
    ProgressLine progress;
    const DriverThresholds found =
        find_driver_thresholds(subject, spec, limits, most, watcher_with(progress));
    progress.clear();
    std::cout << (line.json() ? json_of(name, limits, found).dump(2) + "\n"
                              : text_of(name, limits, found));
    return found.complete ? kExitHolds : kExitUnknown;
}

}  // namespace

int explore_drivers(const CommandLine& line, const Arguments& arguments) {
    check_options(arguments);
    check_reached(line.operands()[0]);
    const Subjects subjects = subjects_of(line.operands()[0]);
    if (subjects.size() != 1) {
        throw UsageError("explore searches one library; right would be lib:NAME");
    }
    const Subject& subject = *subjects[0];
    const PlaySpec spec = spec_of(line, subject);
    VirtualSearchLimits limits;
    limits.order = order_of(line, arguments);
    limits.changes = static_cast<std::uint32_t>(count_option(line, "changes", 0, 100));
    limits.plays = kUsualPlays;
    if (has_word(arguments, "--budget")) {
        limits.plays = count_option(line, "budget", 1, 1'000'000'000);
    }
    limits.threads = static_cast<std::uint32_t>(count_option(line, "threads", 0, 64));
    if (limits.threads == 0) limits.threads = usual_threads(limits.plays);
    interrupt_flag();
    if (line.has("thresholds")) return show_thresholds(line, subject, spec, limits);
    const fs::path traces =
        output_folder(line, "traces", fs::path(home_folder()) / "results" / "traces");
    ProgressLine progress;
    const Stopwatch since;
    const VirtualSearchResult result =
        line.has("choices") ? replay_virtually(subject, spec, parse_deviations(line.get("choices")))
                            : search_virtually(subject, spec, limits, watcher_with(progress));
    progress.clear();
    const double rate = static_cast<double>(result.plays) / since.seconds() * 60;
    SearchedDrivers searched{
        line.operands()[0], spec, limits.order, result, rate, line.has("choices"), {}, {}};
    if (result.find) {
        progress.show(searched.name + ": the find, in real time");
        searched.real = replay_really(subject, spec, result.find->play.script,
                                      [] { return interrupt_flag().load(); });
        progress.clear();
        searched.file = write_find(searched.name, spec, result.find->play.history, traces);
    }
    const bool picture = line.has("mermaid") || line.has("svg");
    if (picture && !result.find) throw UsageError("there is no find to be drawn");
    if (line.json()) {
        std::cout << json_of(searched).dump(2) << "\n";
    } else if (picture) {
        const Timeline timeline = timeline_of(*result.find);
        std::cout << (line.has("svg") ? to_svg(timeline) : to_mermaid(timeline));
    } else {
        std::cout << text_of(searched);
    }
    if (result.interrupted) {
        std::cerr << "locklab: interrupted: the result covers the plays finished so far\n";
    }
    return result.find ? kExitViolated : kExitUnknown;
}

}  // namespace locklab
