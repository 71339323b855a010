// A foreign lock library, as its manifest (drivers/NAME/manifest.json) describes it: how its driver
// is installed and run, and what is known of its lock. drivers/README.md documents the keys.
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
    std::string package;  ///< in Debian and Ubuntu
};

struct InstallStep {
    std::string label;  ///< "downloads and installs redis-py"
    std::vector<std::string> words;
};

/// A message of an ecosystem's tool when something is missing, and what it means.
struct InstallTrouble {
    std::string says;
    std::string means;
};

struct Library {
    std::string name;     ///< its folder's name; a variant is "redis-py:asyncio"
    std::string trouble;  ///< what is wrong with its manifest: then nothing else is known
    std::string library;
    std::string language;
    std::string version;
    std::string documentation;
    std::string defaults;  ///< its default behaviour, where that matters: one or two sentences
    /// Names of the lock's keys, with {key} for the name that the driver is told: first the key on
    /// which a grant rests. Empty: unknown; the name itself is assumed.
    std::vector<std::string> keys;
    std::string options;              ///< JSON, for the driver's `open`
    std::string cannot_run;           ///< why no driver of it can run; empty: one can
    std::vector<std::string> stubs;   ///< replaced parts of it: it is not wholly unmodified
    std::vector<std::string> shared;  ///< files of drivers/shared/ that its driver needs beside it
    Duration least_ttl{0};            ///< the shortest TTL that it takes
    Duration default_ttl{0};          ///< zero: it has none
    bool waits = false;               ///< `acquire` can wait
    bool expires = true;              ///< a grant has a TTL; else it lasts until its client is gone
    bool grants_job = false;  ///< it grants no lock of a name but a job, put back after each round
    bool renews = false;      ///< by itself, where `open` says so
    bool always_renews = false;     ///< it cannot be told not to
    bool extends = false;           ///< when told
    bool extended_by_hand = false;  ///< and its callers tell it, for as long as they work
    bool cancels = false;           ///< its callers can cancel a try that is under way
    bool tells = false;             ///< of a loss, before the release
    int tells_within_percent = 0;   ///< of a TTL: so soon; 0: nobody says
    bool fences = false;            ///< its grants have fencing tokens
    bool scales_timeouts =
        false;                ///< its driver sets its client's time-outs in proportion to the TTL
    bool many_nodes = false;  ///< it can take several independent servers
    std::uint32_t usual_servers = 1;  ///< that it is given where nobody asks otherwise
    std::string like;                 ///< the algorithm of ours that it resembles
    std::string no_clock;             ///< why a preloaded clock does not reach it; empty: it does
    std::string no_virtual_time;  ///< why it still cannot run in virtual time; empty: nothing more
    std::vector<NeededProgram> needs;
    std::vector<InstallStep> install;
    std::vector<InstallTrouble> troubles;
    std::vector<std::string> run;
    /// The same in virtual time, where that needs another program. Empty: it does not.
    std::vector<std::string> virtual_run;
    /// The program that starts its servers, where these are not Redis. Empty: they are.
    std::vector<std::string> servers;

    std::filesystem::path folder;     ///< of its driver and manifest: read-only
    std::filesystem::path installed;  ///< where a copy of `folder` is installed and runs; absolute

    /// Its name on the command line: "lib:redis-py".
    std::string row() const { return "lib:" + name; }
    /// Its name for `libraries install`: a folder is installed once for all its variants.
    std::string folder_name() const { return folder.filename().string(); }
    /// A file of its folder or shared with other drivers, and its name in the installed folder.
    struct File {
        std::filesystem::path from;
        std::string name;
    };
    /// Its driver, manifest and lock files, also in subfolders, sorted by name. Throws FileError.
    std::vector<File> files() const;
    /// Digest of these files and of the path of `installed`.
    std::string digest() const;
    /// The installation was made from the folder's present files, and has not changed since.
    bool is_installed() const { return why_not_installed().empty(); }
    /// "is not installed", or which file has changed; empty: it is installed.
    std::string why_not_installed() const;
    /// Call it when all steps of the installation are done.
    void note_installed() const;
    /// The programs of `needs` that are not in PATH.
    std::vector<NeededProgram> missing() const;
    /// Why it cannot run in virtual time; empty: it can.
    const std::string& why_not_virtual() const {
        const bool has_virtual_clock = no_clock.empty() || !virtual_run.empty();
        return has_virtual_clock ? no_virtual_time : no_clock;
    }
    /// How one driver of it is started: without what the user's environment would put in the place
    /// of the installed library, or add to it.
    DriverProcess::Start start() const { return started_by(run); }
    /// The same in virtual time.
    DriverProcess::Start virtual_start() const {
        return started_by(virtual_run.empty() ? run : virtual_run);
    }
    /// The same of its servers' program.
    DriverProcess::Start servers_start() const { return started_by(servers); }

private:
    DriverProcess::Start started_by(const std::vector<std::string>& words) const;
};

/// The libraries of drivers/*/manifest.json, by name. `installed`: the folder that holds a folder
/// for each installed one. A library with a bad manifest has a trouble.
std::vector<Library> read_libraries(const std::filesystem::path& drivers,
                                    const std::filesystem::path& installed);
/// The libraries of this checkout: drivers/, installed in build/libraries/.
std::vector<Library> known_libraries();
/// Those of known_libraries() that have no trouble. `tell` gets one sentence for each that is left
/// out.
std::vector<Library> usable_libraries(const std::function<void(const std::string&)>& tell);

/// Whether the word names a library: it begins with "lib:".
bool is_library_row(std::string_view word);
/// The library of this name, with or without "lib:". Throws UsageError with the nearest name, and
/// FormatError for a library that has a trouble.
const Library& require_library(const std::vector<Library>& libraries, std::string_view name);

}  // namespace locklab
