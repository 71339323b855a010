// Strict reader of drivers/NAME/manifest.json: nothing that it does not know is accepted.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/foreign/library.h"

namespace locklab {

/// In a key's pattern it stands for the name that the lock was told.
inline constexpr std::string_view kAskedKey = "{key}";

/// Reads the library and its variants, each with its variant name. Folders are not filled in.
/// Throws FormatError.
std::vector<Library> read_manifest(const std::filesystem::path& file);
/// The same from a text; `file` is its name in error messages.
std::vector<Library> read_manifest(std::string_view text, const std::string& file);

/// The file with the digest of what was installed there. It is written last.
std::filesystem::path install_stamp(const std::filesystem::path& installed);

}  // namespace locklab
