// Installs a library that is not ours with the tools of its own ecosystem, as its manifest says.
//
// What is pinned in its folder is what is installed, in a copy of that folder; the stamp there is
// written when all is done. An installation that is stopped, killed or failed leaves no stamp.
#pragma once

#include <filesystem>
#include <string>

#include "harness/core/watcher.h"
#include "harness/foreign/library.h"

namespace locklab {

enum class InstallEnd : std::uint8_t {
    current,  ///< it was installed already: nothing was done
    done,
    lacks,  ///< a program of its toolchain: nothing was done
    failed,
    stopped,
};

struct InstallResult {
    InstallEnd end = InstallEnd::failed;
    std::string sentence;
};

/// Holds what is installed for this process alone, until its destructor.
class InstallFolder {
public:
    /// Makes the folder. Throws UsageError where another process installs there, and FileError.
    explicit InstallFolder(const std::filesystem::path& folder);
    ~InstallFolder();
    InstallFolder(const InstallFolder&) = delete;
    InstallFolder& operator=(const InstallFolder&) = delete;

private:
    int lock_ = -1;
};

/// What the library's tools say is kept beside it, in NAME.log. `place`: "2 of 4".
InstallResult install(const Library& library, const std::string& place, const Watcher& watcher);

/// Runs its `install` in its `installed` folder, a copy of its folder without the file of this
/// name, and leaves no stamp.
InstallResult run_steps(const Library& library, const std::string& without,
                        const std::string& place, const Watcher& watcher);

/// Where it is kept.
std::filesystem::path install_log(const Library& library);

/// "go is not in PATH (Debian, Ubuntu: apt-get install golang-go)"; empty if nothing is missing.
std::string what_is_missing(const Library& library);

}  // namespace locklab
