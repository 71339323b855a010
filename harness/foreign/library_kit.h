// Templates for new drivers, and pinning of their packages, in each language that has a shared
// loop. drivers/new/ holds a working driver and manifest to fill in; the language's own tool makes
// the lock file, with the digest of each download.
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
    std::string_view language;       ///< as in manifests
    std::string_view folder;         ///< in drivers/new/
    std::string_view wanted;         ///< the file that names packages and releases
    std::vector<std::string> locks;  ///< lock files that `pin` makes from it
    std::vector<InstallStep> pin;
};

const std::vector<LibraryKit>& library_kits();
/// Case-insensitive. Throws UsageError with the nearest name.
const LibraryKit& require_kit(std::string_view language);

/// Makes drivers/NAME/ and returns the names of its files. Throws UsageError and FileError.
std::vector<std::string> make_library(const std::filesystem::path& drivers, const std::string& name,
                                      const LibraryKit& kit);

/// Makes new lock files in a separate folder, and copies them into the library's folder. Throws
/// UsageError for a language without a kit.
InstallResult pin(const Library& library, const std::string& place, const Watcher& watcher);

}  // namespace locklab
