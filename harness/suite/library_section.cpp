// The suite's section on foreign libraries that are installed: every scenario on a real Redis, and
// a search in virtual time under each possible fault.

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "harness/check/run_bound.h"
#include "harness/core/counted.h"
#include "harness/core/fault_text.h"
#include "harness/foreign/library.h"
#include "harness/live/redis_process.h"
#include "harness/play/scenario_library.h"
#include "harness/suite/library_scenes.h"
#include "harness/suite/library_table.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

constexpr std::uint64_t kFullPlays = 1000;
/// Plays in virtual time for each run in real time: a play takes far less of a machine's time.
constexpr std::uint64_t kPlaysPerRun = 5;
/// Grants of a run in real time.
constexpr std::uint64_t kGrantsPerRun = 10;
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

/// `rows` are those of `subjects`.
TablePlan plan_of(const std::vector<LibraryRow>& rows, const std::deque<Subject>& subjects,
                  const SuiteContext& context) {
    TablePlan plan;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        if (rows[i].cannot_run) continue;
        const Subject& subject = subjects[i];
        const bool is_virtual = subject.why_not_virtual().empty();
        plan.libraries.push_back(
            {&subject, is_virtual ? TableWorld::in_virtual_time : TableWorld::live});
    }
    plan.faults = context.columns;
    if (plan.faults.empty() && context.size.is_tried_out()) {
        plan.faults = {FaultBudget(), parse_faults("pause=1")};
    }
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
    if (row.cannot_run) return row.name + " " + row.version + ": cannot run: " + *row.cannot_run;
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

/// No fault, single faults in the order of their table, then pairs.
std::size_t column_of(const TableCell& cell) {
    const FaultBudget faults = parse_faults(cell.faults);
    std::size_t column = 0;
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0) continue;
        if (column > 0) return std::size(kHazards) + 1;
        column = 1 + static_cast<std::size_t>(&row - std::begin(kHazards));
    }
    return column;
}

/// Puts the row's cells of the table into it, in place of those of the same columns.
void take_cells(const std::vector<TableCell>& table, const std::string& operand, LibraryRow& row) {
    std::vector<TableCell> cells;
    std::ranges::copy_if(table, std::back_inserter(cells),
                         [&](const TableCell& cell) { return cell.subject == operand; });
    for (TableCell& cell : row.cells.value_or(std::vector<TableCell>())) {
        const bool is_new =
            std::ranges::find(cells, cell.faults, &TableCell::faults) != cells.end();
        if (!is_new) cells.push_back(std::move(cell));
    }
    std::ranges::stable_sort(cells, {}, column_of);
    row.searches.clear();
    for (const TableCell& cell : cells) {
        if (auto found = search_of(cell)) row.searches.push_back(std::move(*found));
    }
    row.cells = std::move(cells);
}

/// The rows of before that get columns anew: of these libraries, of which the others are taken out
/// and named.
std::vector<LibraryRow> rows_to_widen(const std::vector<LibraryRow>& before,
                                      std::vector<Library>& libraries, SuiteProgress& progress) {
    std::vector<LibraryRow> rows;
    std::erase_if(libraries, [&](const Library& library) {
        const auto row = std::ranges::find(before, library.name, &LibraryRow::name);
        if (row != before.end() && row->version == library.version && row->cells) {
            rows.push_back(*row);
            return false;
        }
        progress.tell(library.row() + " " + library.version +
                      " is left out: this run has no row of it that columns could be added to; "
                      "--remake libraries without --faults makes one");
        return true;
    });
    return rows;
}

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
    std::vector<LibraryRow> rows;
    if (!context.columns.empty()) {
        rows = rows_to_widen(*result.libraries, libraries, progress);
        if (libraries.empty()) return;
    }
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
    if (context.columns.empty()) {
        LibraryScenes scenes(played_before, scenarios);
        scenes.play(libraries, subjects, shown_with("scenarios of libraries, "), rows);
    }
    if (context.watcher.stopped()) return;
    TableFile kept(cells_of_before);
    const std::vector<TableCell> cells =
        make_table(plan_of(rows, subjects, context), kept, shown_with("the table of libraries, "));
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
