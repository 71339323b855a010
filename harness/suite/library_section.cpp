// The suite's section on foreign libraries that are installed: every scenario on a real Redis, and
// a search in virtual time under each possible fault.

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "harness/check/run_bound.h"
#include "harness/core/counted.h"
#include "harness/core/fault_text.h"
#include "harness/explore/in_threads.h"
#include "harness/foreign/library.h"
#include "harness/live/redis_process.h"
#include "harness/play/driver_plays.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/scenario_library.h"
#include "harness/record/kept_rows.h"
#include "harness/suite/library_table.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

constexpr std::uint64_t kFullPlays = 1000;
/// Plays in virtual time for each run in real time: a play takes far less of a machine's time.
constexpr std::uint64_t kPlaysPerRun = 5;
/// Grants of a run in real time.
constexpr std::uint64_t kGrantsPerRun = 10;
/// Plays under way at once, and libraries that share them: one of them alone waits for its last. A
/// play mostly waits, for a minute perhaps; one that the machine was too late for is played again
/// with more time, which costs more than to begin fewer.
constexpr RunsAtOnce::Bounds kPlays{4, 8, 48};
constexpr std::size_t kLibrariesAtOnce = 6;
/// For a suite that is only tried out.
constexpr std::uint64_t kTriedPlays = 4;
constexpr std::size_t kTriedScenarios = 3;

/// A quick suite has 40, and takes about two minutes for four libraries, most of that for
/// scenarios. Finding a counterexample takes at most 25 or so.
std::uint64_t plays_of(const SuiteSize& size) {
    if (size.is_tried_out()) return kTriedPlays;
    return size.is_full() ? kFullPlays : size.live_runs;
}

/// Runs of a cell in real time: too few for `holds`, except in a full suite.
std::uint64_t runs_of(const SuiteSize& size) {
    if (size.is_tried_out()) return 1;
    return size.is_full() ? runs_for(kFullLeavesOpen) : size.live_runs / kPlaysPerRun;
}

TablePlan plan_of(const std::deque<Subject>& subjects, const SuiteContext& context) {
    TablePlan plan;
    for (const Subject& subject : subjects) {
        const bool is_virtual = subject.why_not_virtual().empty();
        plan.libraries.push_back(
            {&subject, is_virtual ? TableWorld::in_virtual_time : TableWorld::live});
    }
    if (context.size.is_tried_out()) plan.faults = {FaultBudget(), parse_faults("pause=1")};
    plan.size.seed = context.seed;
    plan.size.plays = plays_of(context.size);
    plan.size.runs = runs_of(context.size);
    plan.size.options.grants_per_run = kGrantsPerRun;
    return plan;
}

/// A cell with one fault, or none, as a search.
std::optional<LibrarySearchRow> search_of(const TableCell& cell) {
    const FaultBudget faults = parse_faults(cell.faults);
    const auto count = std::ranges::count_if(
        kHazards, [&](const HazardRow& row) { return faults[row.hazard] > 0; });
    if (count > 1 || cell.world == name_of(TableWorld::live)) return std::nullopt;
    LibrarySearchRow row;
    for (const HazardRow& each : kHazards) {
        if (faults[each.hazard] > 0) row.hazard = each.hazard;
    }
    if (cell.verdict == Verdict::violated) row.verdict = Verdict::violated;
    row.plays = cell.runs + cell.left_out;
    row.plays_cut_short = cell.left_out;
    row.grants = cell.grants;
    row.came_again = row.verdict == Verdict::violated;
    row.library_error = cell.library_error;
    if (row.grants == 0) row.trouble = cell.why_unknown;
    row.replay = cell.replay;
    return row;
}

std::string sentence_of(const LibraryRow& row) {
    const auto played = [&](std::string_view result) {
        return std::to_string(std::ranges::count(row.scenarios, result, &DriverPlayRow::result));
    };
    const std::vector<TableCell> cells = row.cells.value_or(std::vector<TableCell>());
    const auto news = std::ranges::count_if(cells, &TableCell::is_news);
    const auto broken =
        std::ranges::count_if(cells, [](const TableCell& cell) { return is_broken(cell.verdict); });
    std::string text = row.name + " " + row.version + ": ";
    text += !row.trouble.empty()
                ? "scenarios not played: " + row.trouble
                : "scenarios: " + played("as_expected") + " as expected of " + row.like + ", " +
                      played("differs") + " differ, " + played("not_played") + " not played, " +
                      played("no_verdict") + " without a verdict";
    const auto of_table = row.cells ? row.cells->size() : 0;
    text += "; an overlap was proved, or it was stuck, in " + std::to_string(broken) + " of " +
            counted(of_table, "cell") + ", in " + std::to_string(news) +
            " under what not every lease breaks";
    return text;
}

LibraryRow row_of(const Library& library) {
    LibraryRow row;
    row.name = library.name;
    row.library = library.library;
    row.version = library.version;
    row.language = library.language;
    row.like = library.like;
    row.documentation = library.documentation;
    row.defaults = library.defaults;
    if (library.name == library.folder_name()) row.defects = defects_of(library);
    row.not_searched = library.why_not_virtual();
    return row;
}

void take_cells(const std::vector<TableCell>& cells, const std::string& operand, LibraryRow& row) {
    row.cells.emplace();
    for (const TableCell& cell : cells) {
        if (cell.subject != operand) continue;
        row.cells->push_back(cell);
        if (auto found = search_of(cell)) row.searches.push_back(std::move(*found));
    }
}

/// Plays all scenarios with each library, several libraries at once, and keeps the row of each that
/// is finished in a file, so that a suite that was stopped goes on.
class ScenePlays {
public:
    ScenePlays(const std::filesystem::path& file, const std::vector<Scenario>& scenarios)
        : kept_(file, "no library"), scenarios_(scenarios) {}

    /// Adds the rows in the order of `libraries`, each with its subject. None if stopped.
    void play(const std::vector<Library>& libraries, const std::deque<Subject>& subjects,
              const Watcher& watcher, std::vector<LibraryRow>& rows) {
        std::vector<LibraryRow> made(libraries.size());
        std::atomic<std::size_t> next{0};
        in_threads(std::min(kLibrariesAtOnce, libraries.size()), [&](std::size_t) {
            for (std::size_t i = next++; i < made.size(); i = next++) {
                const std::string place = std::to_string(i + 1) + " of " +
                                          std::to_string(made.size()) + ": " + libraries[i].name;
                const Watcher of_this{
                    watcher.stop,
                    [&](std::string_view text) { watcher.show(place + ", " + std::string(text)); },
                    {}};
                made[i] = row_with_scenes(libraries[i], subjects[i], of_this);
                if (watcher.stopped()) return;
            }
        });
        if (!watcher.stopped()) std::ranges::move(made, std::back_inserter(rows));
    }

private:
    LibraryRow row_with_scenes(const Library& library, const Subject& subject,
                               const Watcher& watcher) {
        const std::string made_by = maker_of(subject);
        if (std::optional<LibraryRow> before = find(library, made_by)) return *std::move(before);
        LibraryRow row = row_of(library);
        std::vector<DriverPlay> plays =
            driver_plays_of(scenarios_, subject, require_algorithm(subject.like()));
        try {
            play_all_on_drivers(plays,
                                {std::max(kScenarioTtl, subject.least_ttl()), at_once_, watcher});
        } catch (const std::runtime_error& error) {
            row.trouble = error.what();
            return row;
        }
        if (watcher.stopped()) return row;
        for (const DriverPlay& play : plays) row.scenarios.push_back(driver_play_row(play));
        const std::lock_guard guard(mutex_);
        kept_.add({made_by, row});
        return row;
    }

    /// What the same locklab played of the same installation before this suite was stopped.
    std::optional<LibraryRow> find(const Library& library, const std::string& made_by) {
        const std::lock_guard guard(mutex_);
        for (const PlayedLibrary& played : kept_.rows()) {
            if (played.made_by == made_by && played.row.name == library.name) return played.row;
        }
        return std::nullopt;
    }

    std::mutex mutex_;
    KeptRows<PlayedLibrary> kept_;
    const std::vector<Scenario>& scenarios_;
    RunsAtOnce at_once_{kPlays};
};

/// A library is a piece: its table has pairs of faults of which neither breaks it alone.
void keep_pieces(const Shard& shard, std::vector<Library>& libraries) {
    std::vector<Library> kept;
    for (std::size_t i = 0; i < libraries.size(); ++i) {
        if (shard.has(i)) kept.push_back(std::move(libraries[i]));
    }
    libraries = std::move(kept);
}

/// The rows of before, and in their place or among them the new ones: in the order of the
/// libraries, and at the end those that are not known any more.
std::vector<LibraryRow> with_new(std::vector<LibraryRow> before, std::vector<LibraryRow> made) {
    std::erase_if(before, [&](const LibraryRow& row) {
        return std::ranges::find(made, row.name, &LibraryRow::name) != made.end();
    });
    std::ranges::move(before, std::back_inserter(made));
    const std::vector<Library> known = known_libraries();
    std::ranges::stable_sort(made, {}, [&](const LibraryRow& row) {
        return std::ranges::find(known, row.name, &Library::name) - known.begin();
    });
    return made;
}

/// Why no server can be started; empty: it can.
std::string why_no_server() {
    try {
        RedisProcess server(RedisProcess::Listen::on_port_too);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

void run_library_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                         SuiteResult& result) {
    if (!result.libraries) result.libraries.emplace();
    std::vector<Library> libraries =
        usable_libraries([&](const std::string& sentence) { progress.tell(sentence); });
    std::erase_if(libraries, [&](const Library& each) {
        if (!context.was_asked_for_library(each.name)) return true;
        const std::string why = each.why_not_installed();
        if (why.starts_with("was changed")) progress.tell(each.row() + " is left out: it " + why);
        return !why.empty();
    });
    if (context.shard) keep_pieces(*context.shard, libraries);
    if (libraries.empty()) {
        return progress.tell(
            "no library is installed, so none is played; ./locklab libraries "
            "install");
    }
    if (std::string why = why_no_server(); !why.empty()) {
        result.missing.push_back({"plays of the libraries", std::move(why)});
        return;
    }
    std::vector<Scenario> scenarios = scenarios_named("all");
    if (context.size.is_tried_out()) scenarios.resize(std::min(scenarios.size(), kTriedScenarios));
    std::mutex mutex;
    const auto shown_with = [&](const std::string& what) {
        return Watcher{context.watcher.stop,
                       [&, what](std::string_view text) {
                           const std::lock_guard guard(mutex);
                           progress.show(what + std::string(text));
                       },
                       {}};
    };
    const std::filesystem::path played_before = context.folder / kScenesFile;
    const std::filesystem::path cells_of_before = context.folder / kTableFile;
    std::deque<Subject> subjects;
    for (const Library& library : libraries) subjects.emplace_back(library);
    ScenePlays plays(played_before, scenarios);
    std::vector<LibraryRow> rows;
    plays.play(libraries, subjects, shown_with("scenarios of libraries, "), rows);
    if (context.watcher.stopped()) return;
    TableFile kept(cells_of_before);
    const std::vector<TableCell> cells =
        make_table(plan_of(subjects, context), kept, shown_with("the table of libraries, "));
    // A part that was stopped half-way would say less than it seems to.
    if (context.watcher.stopped()) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        take_cells(cells, subjects[i].operand(), rows[i]);
        progress.tell(sentence_of(rows[i]));
    }
    result.libraries = with_new(std::move(*result.libraries), std::move(rows));
    std::filesystem::remove(played_before);
    std::filesystem::remove(cells_of_before);
}

}  // namespace locklab
