// The suite's part on libraries that are not ours, as far as they are installed: every scenario on
// a real Redis, and a search in virtual time under each fault that one can have.

#include <algorithm>
#include <stdexcept>

#include "harness/core/counted.h"
#include "harness/foreign/library.h"
#include "harness/foreign/play_faults.h"
#include "harness/foreign/search_threads.h"
#include "harness/foreign/virtual_search.h"
#include "harness/live/redis_process.h"
#include "harness/play/driver_plays.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/scenario_library.h"
#include "harness/record/stopwatch.h"
#include "harness/suite/suite.h"
#include "harness/suite/table_cell.h"

namespace locklab {

namespace {

/// Plays of a search. With so few a quick suite takes about two minutes for four libraries, most of
/// them for the scenarios; a find takes at most 25 or so.
constexpr std::uint64_t kQuickPlays = 40;
constexpr std::uint64_t kFullPlays = 1000;
/// Scenarios under way at once: a library's runtime may be large.
constexpr std::size_t kParallel = 2;
/// Where the suite is only tried out.
constexpr std::uint64_t kTriedPlays = 4;
constexpr std::size_t kTriedScenarios = 3;

std::uint64_t plays_of(const SuiteSize& size) {
    if (size.is_tried_out()) return kTriedPlays;
    return size.is_full() ? kFullPlays : kQuickPlays;
}

std::vector<Hazard> searched_hazards(const SuiteSize& size) {
    std::vector<Hazard> hazards;
    for (const HazardRow& row : kHazards) {
        if (play_makes(row.hazard)) hazards.push_back(row.hazard);
    }
    if (size.is_tried_out()) hazards = {kNoFault, Hazard::pause};
    return hazards;
}

LibrarySearchRow search(const Subject& subject, Hazard hazard, const SuiteContext& context) {
    PlaySpec spec;
    if (hazard != kNoFault) spec.faults[hazard] = 1;
    spec.ttl = subject.usual_ttl();
    spec.timeout = spec.ttl / 5;
    spec.seed = context.seed;
    VirtualSearchLimits limits;
    limits.plays = plays_of(context.size);
    limits.threads = usual_threads(limits.plays);
    LibrarySearchRow row;
    row.hazard = hazard;
    VirtualSearchResult result;
    try {
        result = search_virtually(subject, spec, limits, {context.watcher.stop, {}, {}});
    } catch (const std::runtime_error& error) {
        row.trouble = error.what();
    }
    if (result.find) row.verdict = Verdict::violated;
    row.plays = result.plays;
    row.grants = result.grants;
    row.plays_cut_short = result.not_whole;
    row.came_again = result.find && result.find->came_again;
    row.library_error = result.first_error;
    row.replay = replay_of(subject, spec, limits.plays, result);
    return row;
}

void play_scenarios(const std::vector<Scenario>& scenarios, const Subject& subject,
                    const Watcher& watcher, LibraryRow& row) {
    std::vector<DriverPlay> plays =
        driver_plays_of(scenarios, subject, require_algorithm(subject.like()));
    try {
        play_all_on_drivers(plays,
                            {std::max(kScenarioTtl, subject.least_ttl()), kParallel, watcher});
    } catch (const std::runtime_error& error) {
        row.trouble = error.what();
        return;
    }
    for (const DriverPlay& play : plays) {
        if (play.end != DriverPlay::End::not_done) row.scenarios.push_back(driver_play_row(play));
    }
}

std::string sentence_of(const LibraryRow& row) {
    const auto played = [&](std::string_view result) {
        return std::to_string(std::ranges::count(row.scenarios, result, &DriverPlayRow::result));
    };
    const auto found =
        std::ranges::count(row.searches, Verdict::violated, &LibrarySearchRow::verdict);
    std::string text = row.name + " " + row.version + ": ";
    text += !row.trouble.empty()
                ? "scenarios not played: " + row.trouble
                : "scenarios: " + played("as_expected") + " as expected of " + row.like + ", " +
                      played("differs") + " differ, " + played("not_played") + " not played, " +
                      played("no_verdict") + " without a verdict";
    if (!row.not_searched.empty()) return text + "; not searched";
    if (row.searches.size() == 1) return text + "; not searched: " + row.searches[0].trouble;
    return text + "; an overlap was proved in " + std::to_string(found) + " of " +
           counted(row.searches.size(), "search", "searches");
}

LibraryRow row_of(const Library& library) {
    LibraryRow row;
    row.name = library.name;
    row.library = library.library;
    row.version = library.version;
    row.language = library.language;
    row.like = library.like;
    row.not_searched = library.why_not_virtual();
    return row;
}

/// Empty: it can be started.
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
    std::vector<LibraryRow>& rows = result.libraries.emplace();
    std::vector<Library> libraries =
        usable_libraries([&](const std::string& sentence) { progress.tell(sentence); });
    std::erase_if(libraries, [&](const Library& each) {
        const std::string why = each.why_not_installed();
        if (why.starts_with("was changed")) progress.tell(each.row() + " is left out: it " + why);
        return !why.empty();
    });
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
    const std::vector<Hazard> hazards = searched_hazards(context.size);
    const std::size_t steps = libraries.size() * (hazards.size() + 1);
    std::size_t done = 0;
    for (const Library& library : libraries) {
        const Subject subject(library);
        const Stopwatch since;
        LibraryRow row = row_of(library);
        const Watcher watcher{context.watcher.stop,
                              [&](std::string_view text) {
                                  progress.show(library.name + ", " + std::string(text), done,
                                                steps);
                              },
                              {}};
        play_scenarios(scenarios, subject, watcher, row);
        ++done;
        for (const Hazard hazard : hazards) {
            if (context.watcher.stopped()) break;
            progress.show(library.name + ", " + std::string(name_of(hazard)), done++, steps);
            if (!row.not_searched.empty()) continue;
            // Where virtual time does not work, each search would take long to say so again.
            const bool works = row.searches.empty() || row.searches[0].trouble.empty();
            if (works) row.searches.push_back(search(subject, hazard, context));
        }
        // What was stopped half-way says less than it seems to.
        if (context.watcher.stopped()) return;
        row.seconds = since.seconds();
        progress.tell(sentence_of(row));
        rows.push_back(std::move(row));
        progress.can_draw();
    }
}

}  // namespace locklab
