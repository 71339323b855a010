// Installs a foreign library with the tools of its own ecosystem, as its manifest says.
//
// It installs the packages that are pinned in the driver's folder, in a copy of that folder, and
// writes the stamp there last. An installation that is stopped, killed or failed leaves no stamp.
#pragma once

#include <filesystem>
#include <string>

#include "harness/core/watcher.h"
#include "harness/foreign/library.h"

namespace locklab {

enum class InstallEnd : std::uint8_t {
    current,  ///< installed already: nothing was done
    done,
    lacks,  ///< a program of its toolchain is missing: nothing was done
    failed,
    stopped,
};

struct InstallResult {
    InstallEnd end = InstallEnd::failed;
    std::string sentence;
};

/// Locks the folder of installed libraries for this process until the destructor runs.
class InstallFolder {
public:
    /// Makes the folder. Throws UsageError if another process installs there, and FileError.
    explicit InstallFolder(const std::filesystem::path& folder);
    ~InstallFolder();
    InstallFolder(const InstallFolder&) = delete;
    InstallFolder& operator=(const InstallFolder&) = delete;

private:
    int lock_ = -1;
};

/// The output of the library's tools goes to NAME.log beside it. `place`: "2 of 4".
InstallResult install(const Library& library, const std::string& place, const Watcher& watcher);

/// Runs its `install` steps in its `installed` folder, a copy of its folder without the file
/// `without`, and leaves no stamp.
InstallResult run_steps(const Library& library, const std::string& without,
                        const std::string& place, const Watcher& watcher);

/// The file with the output of its tools.
std::filesystem::path install_log(const Library& library);

/// "go is not in PATH (Debian, Ubuntu: apt-get install golang-go)"; empty if nothing is missing.
std::string what_is_missing(const Library& library);

}  // namespace locklab
