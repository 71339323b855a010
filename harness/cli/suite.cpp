// locklab suite: the main job. Thresholds, campaigns in both worlds, scenarios, benchmarks, result
// files, report.

#include "harness/suite/suite.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/command_line.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/merge.h"
#include "harness/cli/progress.h"
#include "harness/cli/run_python.h"
#include "harness/cli/shard_option.h"
#include "harness/cli/suite_words.h"
#include "harness/cli/world_options.h"
#include "harness/record/home_folder.h"
#include "harness/record/manifest.h"
#include "harness/record/run_folder.h"
#include "harness/record/stopwatch.h"
#include "harness/record/typed.h"
#include "harness/suite/files.h"
#include "harness/suite/shards.h"
#include "harness/suite/summary.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kQuickSimRuns = 1'000;
constexpr std::uint64_t kFullSimRuns = 20'000;

/// Runs of each cell in sim for one live run.
constexpr std::uint64_t kSimPerLive = 25;

OptionList suite_options() {
    static const std::string kOfSections = of_sections();
    return {
        {"quick", kFlag, "about 25 minutes (default)"},
        {"full", kFlag, "hours, narrow intervals"},
        {"runs", kText,
         "runs of each cell in sim, and a 25th of it live (default: 1000, or 20000 for --full)"},
        {"out", kText, "a new folder for the results (default: results/<time>)"},
        kShardOption,
        {"resume", kFlag,
         "go on with the run in --out that was interrupted or has parts left out, with the same "
         "options"},
        {"sections", kText, kOfSections.c_str()},
        {"remake", kText,
         "make these parts of the run in --out anew (what they had goes first), and keep the "
         "others, also those of another build; the page says which build made what"},
        {"libraries", kText,
         "only these of the libraries that are installed, as A,B; with --remake libraries the rows "
         "of the others stay"},
        {"faults", kText,
         "with --remake libraries: only these columns of the table of libraries, as "
         "'flush=1;evict=1'; what else the rows have stays"},
        {"seed", preset("1"), "of every campaign"},
        {"redis", kText, "use the Redis at host:port (or LOCKLAB_REDIS)"},
        kServerOption,
    };
}

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

int write_page(const SuiteContext& context) {
    return run_python("report", {context.folder.string(), "--quiet"});
}

/// The folder asked for; with --resume or --remake that of an earlier run.
RunFolder open_folder(const CommandLine& line, const std::string& started, bool resumes) {
    if (resumes) {
        if (!line.has("out")) {
            throw UsageError(line.has("remake")
                                 ? "--remake parts of which run? right would be --out FOLDER "
                                   "--remake " +
                                       line.get("remake")
                                 : "--resume of which run? right would be --out FOLDER --resume");
        }
        return RunFolder::reopened(line.get("out"));
    }
    if (line.has("out")) return RunFolder::made(line.get("out"));
    return RunFolder::made_near(usual_folder(started));
}

/// Sections that were not asked for, and not done before.
std::vector<std::string> left_out(const SuiteContext& context, const SuiteResult& result) {
    std::vector<std::string> names;
    for (const SuiteSection& section : kSuiteSections) {
        if (context.was_asked_for(section.name) || result.has_finished(section.name)) continue;
        names.emplace_back(section.name);
    }
    return names;
}

/// Prints counts, and where the report is.
void print_summary(const CommandLine& line, const SuiteContext& context, const SuiteResult& result,
                   const Summary& summary) {
    const std::string page = (context.folder / "report.html").string();
    if (line.json()) {
        nlohmann::ordered_json json{
            {"folder", context.folder.string()},
            {"report", page},
            {"complete", result.complete},
            {"left_out", left_out(context, result)},
            {"cells", summary.sim.all + summary.live.all},
            {"as_claimed", summary.sim.as_claimed + summary.live.as_claimed},
            {"contradicted", summary.contradicted},
            {"plays", summary.plays},
            {"as_expected", summary.as_expected}};
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << counts_text(summary) << summary.unexpected;
        if (const auto names = left_out(context, result); !names.empty()) {
            std::cout << "left out: ";
            for (const std::string& name : names) {
                std::cout << (&name == names.data() ? "" : ", ") << name;
            }
            std::cout << "; --out " << in_shell(context.folder.string())
                      << " --resume runs what is left\n";
        }
        std::cout << "report: " << page << "\n";
    }
}

void tell_missing(const SuiteResult& result) {
    for (const MissingSection& missing : result.missing) {
        std::cerr << "locklab: " << missing.part << " missing: " << missing.why << "\n";
    }
}

/// Prints the final remarks besides the counts; returns the exit code.
int conclude(const SuiteContext& context, const SuiteResult& result, const Summary& summary,
             int report) {
    tell_missing(result);
    const bool unfinished = sections_to_come(context, result) > 0;
    if (unfinished && interrupt_flag()) {
        std::cerr << "locklab: interrupted; what was finished is in " << context.folder.string()
                  << ", and --resume goes on with it\n";
    }
    if (unfinished || report != kExitHolds) return kExitUnknown;
    return summary.is_clean() ? kExitHolds : kExitViolated;
}

SuiteContext context_of(const CommandLine& line) {
    SuiteContext context;
    context.size = size_of(line);
    context.seed = count_option(line, "seed", 0, ~std::uint64_t{0});
    context.redis = redis_option(line, WorldKind::live);
    if (line.has("sections")) context.sections = sections_in(line.get("sections"));
    if (line.has("libraries")) context.libraries = libraries_in(line.get("libraries"));
    if (line.has("faults")) {
        if (!line.has("remake") || line.get("remake") != "libraries") {
            throw UsageError(
                "--faults are the columns of the table of libraries that --remake "
                "libraries makes anew; right would be --remake libraries --faults " +
                in_shell(line.get("faults")));
        }
        context.columns = columns_in(line.get("faults"));
    }
    if (!line.has("remake")) return context;
    for (const char* other : {"resume", "sections", "shard"}) {
        if (line.has(other)) {
            throw UsageError("--remake and --" + std::string(other) + " exclude each other");
        }
    }
    context.sections = sections_in(line.get("remake"));
    context.remakes = true;
    return context;
}

/// A shard that lacks something is not finished: its command is to be given again, elsewhere
/// perhaps.
int end_suite(const CommandLine& line, const SuiteContext& context, const SuiteResult& result,
              ShardWriter& shard) {
    tell_missing(result);
    if (interrupt_flag()) return tell_of_shard(line, shard);
    if (sections_to_come(context, result) > 0) return kExitUnknown;
    end_suite_shard(context, shard);
    return tell_of_shard(line, shard);
}

/// Prints what is in the folder; returns the exit code.
int show_run(const CommandLine& line, const SuiteContext& context, const SuiteResult& result) {
    const int report = write_page(context);
    const Summary summary = summarize(result);
    print_summary(line, context, result, summary);
    return conclude(context, result, summary, report);
}

/// Clears the progress line before it prints a line that stays.
SuiteVoice voice_on(ProgressLine& shown) {
    return {[&shown](std::string_view text) { shown.show(text); },
            [&shown](const std::string& line) {
                shown.clear();
                std::cerr << line << std::endl;
            }};
}

}  // namespace

int suite_verb(const Arguments& arguments) {
    CommandLine line("suite", suite_options(), 0);
    if (!line.parse(arguments)) return kExitHolds;

    SuiteContext context = context_of(line);
    context.shard = shard_option(line, "suite");
    std::optional<ShardWriter> shard;
    if (context.shard) {
        shard.emplace(open_shard(line, "suite", *context.shard));
        if (shard->is_finished()) return tell_of_shard(line, *shard);
    }
    // The command of a shard is the same each time.
    const bool resumes = line.has("resume") || context.remakes ||
                         (shard && fs::exists(shard->path() / "manifest.json"));
    ProgressLine progress;
    context.watcher = watcher_with(progress);
    if (!context.redis.empty()) LiveServer reachable(context.redis, context.watcher);
    const std::string started = utc_now();
    const RunFolder folder = open_folder(line, started, resumes);
    context.folder = folder.path();
    SuiteResult result;
    if (resumes) {
        result = read_suite(context);
        result.resumed.push_back(started);
    } else {
        result.started = started;
        result.command = typed_command(arguments);
    }

    const Stopwatch stopwatch;
    const auto save = [&] {
        result.complete = result.finished.size() == kSuiteSections.size();
        write_suite(context, result, stopwatch.seconds());
    };
    save();
    // The page of a shard would show a part.
    const auto draw = [&] {
        if (!shard) write_page(context);
    };
    run_sections(context, voice_on(progress), result, save, draw);
    progress.clear();
    return shard ? end_suite(line, context, result, *shard) : show_run(line, context, result);
}

int merge_suite(const std::vector<ShardFolder>& shards, const CommandLine& merge) {
    if (!merge.has("out")) {
        throw UsageError(
            "a suite is merged into a folder; right would be: locklab merge FOLDER... --out "
            "FOLDER");
    }
    const Arguments words = words_of_whole(shards[0], merge, {"out", "json"});
    CommandLine line("suite", suite_options(), 0);
    line.parse(words);
    SuiteContext context = context_of(line);
    context.folder = line.get("out");
    SuiteResult result = merged_suite(context, shards);
    result.command = typed_command(shards[0].row.words());
    result.complete = result.finished.size() == kSuiteSections.size();
    const RunFolder folder = RunFolder::made(line.get("out"));
    copy_witnesses(context, shards);
    write_suite(context, result, 0);
    return show_run(line, context, result);
}

}  // namespace locklab
