// The scenarios of a suite, played with installed libraries.
#pragma once

#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/foreign/library.h"
#include "harness/foreign/subject.h"
#include "harness/live/runs_at_once.h"
#include "harness/record/kept_rows.h"
#include "harness/stage/script.h"
#include "harness/suite/library_row.h"

namespace locklab {

/// Plays all scenarios with each library, several libraries at once, and keeps the row of each that
/// is finished in a file, so that a suite that was stopped goes on.
class LibraryScenes {
public:
    /// Throws FileError: what is in the file is no such rows.
    LibraryScenes(const std::filesystem::path& file, const std::vector<Scenario>& scenarios)
        : kept_(file, "no library"), scenarios_(scenarios) {}

    /// Adds the rows in the order of `libraries`, each with its subject. None if stopped.
    void play(const std::vector<Library>& libraries, const std::deque<Subject>& subjects,
              const Watcher& watcher, std::vector<LibraryRow>& rows);

private:
    LibraryRow row_with_scenes(const Library& library, const Subject& subject,
                               const Watcher& watcher);
    /// What the same locklab played of the same installation before this suite was stopped.
    std::optional<LibraryRow> find(const Library& library, const std::string& made_by);

    /// Plays under way at once, and libraries that share them: one of them alone waits for its
    /// last. A play mostly waits, for a minute perhaps; one that the machine was too late for is
    /// played again with more time, which costs more than to begin fewer.
    static constexpr RunsAtOnce::Bounds kPlays{4, 8, 48};
    static constexpr std::size_t kLibrariesAtOnce = 6;

    std::mutex mutex_;
    KeptRows<PlayedLibrary> kept_;
    const std::vector<Scenario>& scenarios_;
    RunsAtOnce at_once_{kPlays};
};

}  // namespace locklab
