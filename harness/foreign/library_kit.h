// How drivers begin, and what pins their packages, in each language that has a shared loop:
// drivers/new/ holds a driver and a manifest that run, to be filled in; the language's own tool
// makes the lock file, with the digest of all that would be downloaded.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/foreign/install.h"
#include "harness/foreign/library.h"

namespace locklab {

struct LibraryKit {
    std::string_view language;       ///< as manifests call it
    std::string_view folder;         ///< of drivers/new/
    std::string_view wanted;         ///< the file that names packages and releases
    std::vector<std::string> locks;  ///< what `pin` makes of it
    std::vector<InstallStep> pin;
};

const std::vector<LibraryKit>& library_kits();
/// In any case of letters. Throws UsageError that names the nearest.
const LibraryKit& require_kit(std::string_view language);

/// Makes drivers/NAME/; the names of its files. Throws UsageError, and FileError.
std::vector<std::string> make_library(const std::filesystem::path& drivers, const std::string& name,
                                      const LibraryKit& kit);

/// Makes the lock files anew, in a folder apart, and puts them into the library's folder. Throws
/// UsageError for a language without a kit.
InstallResult pin(const Library& library, const std::string& place, const Watcher& watcher);

}  // namespace locklab
