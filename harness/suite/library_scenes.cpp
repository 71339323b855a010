#include "harness/suite/library_scenes.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <stdexcept>

#include "harness/explore/in_threads.h"
#include "harness/play/driver_plays.h"
#include "harness/play/named_algorithm.h"
#include "harness/play/scenario_library.h"
#include "harness/suite/table_cell.h"

namespace locklab {

namespace {

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
    if (!library.cannot_run.empty()) row.cannot_run = library.cannot_run;
    return row;
}

}  // namespace

void LibraryScenes::play(const std::vector<Library>& libraries, const std::deque<Subject>& subjects,
                         const Watcher& watcher, std::vector<LibraryRow>& rows) {
    std::vector<LibraryRow> made(libraries.size());
    std::atomic<std::size_t> next{0};
    in_threads(std::min(kLibrariesAtOnce, libraries.size()), [&](std::size_t) {
        for (std::size_t i = next++; i < made.size(); i = next++) {
            const std::string place = std::to_string(i + 1) + " of " + std::to_string(made.size()) +
                                      ": " + libraries[i].name;
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

LibraryRow LibraryScenes::row_with_scenes(const Library& library, const Subject& subject,
                                          const Watcher& watcher) {
    const std::string made_by = maker_of(subject);
    if (std::optional<LibraryRow> before = find(library, made_by)) return *std::move(before);
    LibraryRow row = row_of(library);
    // A scenario says how many servers there are: it would be the one of the row with fewer.
    if (row.cannot_run || library.usual_servers > 1) return row;
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

std::optional<LibraryRow> LibraryScenes::find(const Library& library, const std::string& made_by) {
    const std::lock_guard guard(mutex_);
    for (const PlayedLibrary& played : kept_.rows()) {
        if (played.made_by == made_by && played.row.name == library.name) return played.row;
    }
    return std::nullopt;
}

}  // namespace locklab
