// A lock library that is not ours, as its manifest (drivers/NAME/manifest.json) describes it: how
// its driver is installed and run, and what is known of its lock. drivers/README.md has its keys.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/time.h"
#include "harness/driver/driver_process.h"

namespace locklab {

/// A program that must be in PATH, to install the library and to run it.
struct NeededProgram {
    std::string name;
    std::string package;  ///< of Debian and Ubuntu
};

struct InstallStep {
    std::string label;  ///< "downloads and installs redis-py"
    std::vector<std::string> words;
};

/// What an ecosystem's tool says when something is missing, and what that means.
struct InstallTrouble {
    std::string says;
    std::string means;
};

struct Library {
    std::string name;     ///< of its folder; of a variant "redis-py:asyncio"
    std::string trouble;  ///< what is wrong with its manifest, of which nothing else is known
    std::string library;
    std::string language;
    std::string version;
    std::string documentation;
    std::string defaults;  ///< what it does by itself that matters: one or two sentences
    /// What the lock calls its keys, {key} standing for the name that it is told: first the one
    /// that a grant rests on. Empty: nobody says, and it is taken for the name itself.
    std::vector<std::string> keys;
    std::string options;              ///< JSON, for the driver's `open`
    std::string cannot_run;           ///< why no driver of it can run; empty: one can
    std::vector<std::string> stubs;   ///< what of it is replaced: it is not wholly unmodified
    std::vector<std::string> shared;  ///< files of drivers/shared/ that its driver needs beside it
    Duration least_ttl{0};            ///< it takes no shorter one
    Duration default_ttl{0};          ///< zero: it has none
    bool waits = false;               ///< `acquire` can wait
    bool expires = true;              ///< a grant has a TTL; else it lasts until its client is gone
    bool grants_job = false;  ///< it grants no lock of a name but a job, put back after each round
    bool renews = false;      ///< by itself, where `open` says so
    bool always_renews = false;  ///< it cannot be told not to
    bool extends = false;        ///< when told
    bool tells = false;          ///< of a loss, before the release
    int tells_within_percent = 0;  ///< of a TTL: so soon; 0: nobody says
    bool fences = false;         ///< its grants have fencing tokens
    bool scales_timeouts =
        false;                ///< its driver sets its client's time-outs in proportion to the TTL
    bool many_nodes = false;  ///< it can take several independent servers
    std::string like;         ///< the algorithm of ours that it is like
    std::string no_clock;     ///< why a preloaded clock does not reach it; empty: it does
    std::string no_virtual_time;  ///< why it cannot live in virtual time all the same; or empty
    std::vector<NeededProgram> needs;
    std::vector<InstallStep> install;
    std::vector<InstallTrouble> troubles;
    std::vector<std::string> run;

    std::filesystem::path folder;     ///< of its driver and manifest, which nothing writes to
    std::filesystem::path installed;  ///< where a copy of that is installed, and runs; absolute

    /// "lib:redis-py": what verbs call it.
    std::string row() const { return "lib:" + name; }
    /// What `libraries install` calls it: a folder is installed once for all its variants.
    std::string folder_name() const { return folder.filename().string(); }
    /// A file of its folder, or one that it shares with other drivers, and its name where it is
    /// installed.
    struct File {
        std::filesystem::path from;
        std::string name;
    };
    /// Its driver, its manifest, what pins its packages, by name; folders of its folder too.
    /// Throws FileError.
    std::vector<File> files() const;
    /// Of these, and of where it is installed.
    std::string digest() const;
    /// What is there was installed from what its folder holds now, and has not been changed since.
    bool is_installed() const { return why_not_installed().empty(); }
    /// "is not installed", or which of its files is another now; empty: it is installed.
    std::string why_not_installed() const;
    /// To be called when all steps of its installation are done.
    void note_installed() const;
    /// Those of `needs` that are not in PATH.
    std::vector<NeededProgram> missing() const;
    /// Empty: it can live in virtual time.
    const std::string& why_not_virtual() const {
        return no_clock.empty() ? no_virtual_time : no_clock;
    }
    /// How one driver of it is started.
    DriverProcess::Start start() const { return {run, {}, installed.string()}; }
};

/// The libraries of drivers/*/manifest.json, by name. `installed`: the folder that has a folder for
/// each that is installed. One whose manifest is not as it should be has a trouble.
std::vector<Library> read_libraries(const std::filesystem::path& drivers,
                                    const std::filesystem::path& installed);
/// Those of this checkout: drivers/, installed in build/libraries/.
std::vector<Library> known_libraries();
/// Of these all that have no trouble. `tell` is told of each that is left out, in one sentence.
std::vector<Library> usable_libraries(const std::function<void(const std::string&)>& tell);

/// Whether the word names a library: it begins with "lib:".
bool is_library_row(std::string_view word);
/// The library of this name, with or without "lib:". Throws UsageError that names the nearest, and
/// FormatError for one that has a trouble.
const Library& require_library(const std::vector<Library>& libraries, std::string_view name);

}  // namespace locklab
