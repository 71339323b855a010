// locklab suite: the main job. Thresholds, campaigns in both worlds, scenarios, benchmarks,
// result files, report.

#include "harness/cli/suite.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/counted.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/run_folder.h"
#include "harness/cli/run_python.h"
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

void add_cells(const nlohmann::ordered_json& cells, Summary& summary) {
    const auto text = [](const auto& value) { return value.template get<std::string>(); };
    for (const auto& cell : cells) {
        ++summary.cells;
        if (cell.at("as_claimed") == true) {
            ++summary.as_claimed;
            continue;
        }
        summary.unexpected += "  " + text(cell.at("world")) + ": " + text(cell.at("algorithm")) +
                              " under " + text(cell.at("hazard")) + " is claimed " +
                              text(cell.at("claim")) + ", found " + text(cell.at("verdict")) + "\n";
    }
}

Summary summarize(const SuiteResult& result) {
    Summary summary;
    add_cells(result.sim_cells, summary);
    add_cells(result.live_cells, summary);
    for (const auto& play : result.plays) {
        ++summary.plays;
        const bool ok = play.at("ok") == true;
        summary.as_expected += ok ? 1 : 0;
        if (!ok) {
            summary.unexpected += "  " + play.at("scenario").get<std::string>() + ", " +
                                  play.at("algorithm").get<std::string>() +
                                  " is not as expected: " + play.at("observed").get<std::string>() +
                                  "\n    " + play.at("replay").get<std::string>() + "\n";
        }
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

int write_page(const SuiteContext& context) {
    return run_python("report", {context.folder.string(), "--quiet"});
}

/// Sections write what they have before the next one begins: whatever happens, it is kept. The page
/// is written as soon as there is something to see, and again as sections end.
void run_sections(const SuiteContext& context, SuiteResult& result,
                  const std::function<void()>& save) {
    SuiteServer server(context.redis);
    result.running = true;
    SuiteProgress progress([&] {
        if (interrupt_flag()) return;
        save();
        write_page(context);
    });
    for (std::size_t i = 0; i < kSuiteSections.size() && !interrupt_flag(); ++i) {
        const SuiteSection& section = kSuiteSections[i];
        if (result.has_finished(section.name)) continue;
        progress.begin_part(i + 1, kSuiteSections.size(), section.title);
        const std::size_t missing = result.missing.size();
        section.run(context, server, progress, result);
        if (!interrupt_flag() && result.missing.size() == missing) {
            result.finished.emplace_back(section.name);
        }
        save();
        if (i + 1 < kSuiteSections.size()) progress.end_part();
    }
    result.running = false;
    save();
}

/// The folder that was asked for, and of a run that is resumed what it has.
RunFolder open_folder(const CommandLine& line, const std::string& started) {
    if (line.has("resume")) {
        if (!line.has("out")) {
            throw UsageError("--resume of which run? right would be --out FOLDER --resume");
        }
        return RunFolder::reopened(line.get("out"));
    }
    if (line.has("out")) return RunFolder::made(line.get("out"));
    return RunFolder::made_near(usual_folder(started));
}

/// What is said in the end beside the counts; the exit code.
int conclude(const SuiteContext& context, const SuiteResult& result, const Summary& summary,
             int report) {
    for (const MissingPart& missing : result.missing) {
        std::cerr << "locklab: " << missing.part << " missing: " << missing.why << "\n";
    }
    if (!result.complete && interrupt_flag()) {
        std::cerr << "locklab: interrupted; what was finished is in " << context.folder.string()
                  << ", and --resume goes on with it\n";
    }
    if (!result.complete || report != kExitHolds) return kExitUnknown;
    return summary.is_clean() ? kExitHolds : kExitViolated;
}

}  // namespace

bool SuiteResult::has_finished(std::string_view section) const {
    return std::find(finished.begin(), finished.end(), section) != finished.end();
}

LiveServer* SuiteServer::get() {
    if (server_ || !why_not_.empty()) return server_.get();
    try {
        server_ = std::make_unique<LiveServer>(redis_);
    } catch (const std::runtime_error& error) {
        why_not_ = error.what();
    }
    return server_.get();
}

int suite_verb(const Arguments& arguments) {
    CommandLine line(
        "suite",
        {{"quick", kFlag, "about twenty minutes (default)"},
         {"full", kFlag, "hours, narrow intervals"},
         {"runs", kText,
          "runs of each cell in sim, and a 25th of it live (default: 1000, or 20000 for --full)"},
         {"out", kText, "a new folder for the results (default: results/<time>)"},
         {"resume", kFlag,
          "go on with the run in --out that was interrupted, with the same options"},
         {"seed", preset("1"), "of every campaign"},
         {"redis", kText, "use the Redis at host:port (or LOCKLAB_REDIS)"}},
        0);
    if (!line.parse(arguments)) return kExitHolds;

    SuiteContext context;
    context.size = size_of(line);
    context.seed = count_option(line, "seed", 0, ~std::uint64_t{0});
    if (const char* server = std::getenv("LOCKLAB_REDIS")) context.redis = server;
    if (line.has("redis")) context.redis = line.get("redis");
    if (!context.redis.empty()) LiveServer reachable(context.redis);
    const std::string started = utc_now();
    const RunFolder folder = open_folder(line, started);
    context.folder = folder.path();
    SuiteResult result;
    if (line.has("resume")) {
        result = read_suite(context);
        result.resumed.push_back(started);
    } else {
        result.started = started;
        result.command = typed_command(arguments);
    }
    interrupt_flag();

    const Stopwatch stopwatch;
    const auto save = [&] {
        result.complete = result.finished.size() == kSuiteSections.size();
        write_suite(context, result, stopwatch.seconds());
    };
    save();
    run_sections(context, result, save);
    const int report = write_page(context);
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
    return conclude(context, result, summary, report);
}

}  // namespace locklab
