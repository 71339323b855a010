// The reader of drivers/NAME/manifest.json: strict, so that a driver is what it says it is.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/foreign/library.h"

namespace locklab {

/// In the pattern of a key it stands for the name that the lock was told.
inline constexpr std::string_view kAskedKey = "{key}";

/// All that the manifest says: of the library, and of each of its variants, whose name is here
/// that of the variant. Folders are not in it. Throws FormatError.
std::vector<Library> read_manifest(const std::filesystem::path& file);
/// The same for its text; `file` is what a sentence calls it.
std::vector<Library> read_manifest(std::string_view text, const std::string& file);

/// The file whose text is the digest of what was installed there. It is written last.
std::filesystem::path install_stamp(const std::filesystem::path& installed);

}  // namespace locklab
