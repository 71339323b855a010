// locklab suite: the main job. Thresholds, campaigns in both worlds, scenarios, benchmarks,
// result files, report.

#include "harness/cli/suite.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/counted.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/run_python.h"
#include "harness/cli/scenario_report.h"
#include "harness/cli/stopwatch.h"
#include "harness/cli/typed.h"
#include "harness/record/manifest.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kQuickSimRuns = 1'000;
constexpr std::uint64_t kFullSimRuns = 20'000;

/// Runs of each cell in sim for one live run.
constexpr std::uint64_t kSimPerLive = 25;

SuiteSize size_of(const CommandLine& line) {
    if (line.has("quick") && line.has("full")) {
        throw UsageError("--quick and --full exclude each other");
    }
    SuiteSize size{"quick", kQuickSimRuns, 40};
    if (line.has("full")) size = {"full", kFullSimRuns, 200};
    if (!line.has("runs")) return size;
    size.sim_runs = count_option(line, "runs", 1, 1'000'000);
    size.live_runs = std::max<std::uint64_t>(1, size.sim_runs / kSimPerLive);
    return size;
}

fs::path usual_folder(const std::string& started) {
    std::string name = started;
    std::erase_if(name, [](char c) { return c == ':' || c == '-'; });
    return fs::path(home_folder()) / "results" / name;
}

std::string typed_command(const Arguments& arguments) {
    std::string command = typed_program() + " suite";
    for (const std::string& word : arguments) command += " " + in_shell(word);
    return command;
}

struct Summary {
    std::size_t cells = 0;
    std::size_t as_claimed = 0;
    std::size_t plays = 0;
    std::size_t as_expected = 0;
    std::string unexpected;

    bool is_clean() const { return as_claimed == cells && as_expected == plays; }
};

Summary summarize(const SuiteResult& result) {
    Summary summary;
    for (const SuiteCell& cell : result.cells) {
        ++summary.cells;
        if (cell.as_claimed()) {
            ++summary.as_claimed;
            continue;
        }
        summary.unexpected += "  " + std::string(name_of(cell.world)) + ": " +
                              std::string(cell.spec.algorithm->name) + " under " +
                              std::string(name_of(cell.hazard)) + " is claimed " +
                              std::string(cell.claim()) + ", found " +
                              std::string(name_of(cell.count.verdict())) + "\n";
    }
    for (const PlayedScenario& played : result.plays) {
        if (!played.done) continue;
        ++summary.plays;
        summary.as_expected += played.ok() ? 1 : 0;
        if (!played.ok()) summary.unexpected += play_line(played) + "    " + played.replay() + "\n";
    }
    return summary;
}

/// What was not begun is not counted.
std::string counts_text(const Summary& summary) {
    std::string text;
    if (summary.cells > 0) {
        text += std::to_string(summary.as_claimed) + " of " + counted(summary.cells, "cell") +
                " came out as their locks' files declare\n";
    }
    if (summary.plays > 0) {
        text += std::to_string(summary.as_expected) + " of " + counted(summary.plays, "play") +
                " of scenarios came out as expected\n";
    }
    return text;
}

/// Sections write what they have before the next one begins: whatever happens, it is kept.
void run_sections(const SuiteContext& context, SuiteResult& result,
                  const std::function<void()>& save) {
    run_threshold_section(context, result);
    save();
    if (interrupt_flag()) return;
    run_sim_section(context, result);
    save();
    if (interrupt_flag()) return;
    run_surface_section(context, result);
    save();
    if (interrupt_flag()) return;
    LiveServer server(context.redis);
    result.redis = server.version();
    run_live_section(context, server, result);
    save();
    if (interrupt_flag()) return;
    run_scenario_section(context, server, result);
    save();
    if (interrupt_flag()) return;
    run_bench_section(context, result);
    result.complete = !interrupt_flag();
    save();
}

}  // namespace

int suite_verb(const Arguments& arguments) {
    po::options_description list("Options");
    list.add_options()("quick", "a quarter of an hour (default)")("full",
                                                                  "hours, narrow intervals")(
        "runs", po::value<std::string>(),
        "runs of each cell in sim, and a 25th of it live (default: 1000, or 20000 for --full)")(
        "out", po::value<std::string>(), "results folder (default: results/<time>)")(
        "seed", po::value<std::string>()->default_value("1"), "of every campaign")(
        "redis", po::value<std::string>(), "use the Redis at host:port (or LOCKLAB_REDIS)");
    CommandLine line("suite", list, 0);
    if (!line.parse(arguments)) return kExitHolds;

    SuiteContext context;
    context.size = size_of(line);
    context.seed = count_option(line, "seed", 0, ~std::uint64_t{0});
    if (const char* server = std::getenv("LOCKLAB_REDIS")) context.redis = server;
    if (line.has("redis")) context.redis = line.get<std::string>("redis");
    if (!context.redis.empty()) LiveServer reachable(context.redis);
    const std::string started = utc_now();
    context.folder = output_folder(line, "out", usual_folder(started));
    interrupt_flag();

    const Stopwatch stopwatch;
    SuiteResult result;
    run_sections(context, result, [&] {
        write_suite(context, result, started, stopwatch.seconds(), typed_command(arguments));
    });
    const int report = run_python("report", {context.folder.string(), "--quiet"});
    const Summary summary = summarize(result);
    if (line.json()) {
        nlohmann::ordered_json json{{"folder", context.folder.string()},
                                    {"report", (context.folder / "report.html").string()},
                                    {"complete", result.complete},
                                    {"cells", summary.cells},
                                    {"as_claimed", summary.as_claimed},
                                    {"plays", summary.plays},
                                    {"as_expected", summary.as_expected}};
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << counts_text(summary) << summary.unexpected
                  << "report: " << (context.folder / "report.html").string() << "\n";
    }
    if (!result.complete) {
        std::cerr << "locklab: interrupted; what was finished is in " << context.folder.string()
                  << "\n";
        return kExitUnknown;
    }
    if (report != kExitHolds) return kExitUnknown;
    return summary.is_clean() ? kExitHolds : kExitViolated;
}

}  // namespace locklab
