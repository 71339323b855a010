// The files of an installed library, and whether they have changed since.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace locklab {

/// One line for each file in the folder, sorted: its digest and name; for a link, its target. The
/// stamp is left out. Throws FileError.
std::string list_of_files(const std::filesystem::path& installed);

/// The first file that differs from the list or is not in it; empty: none.
std::string changed_file(const std::filesystem::path& installed, std::string_view list);

}  // namespace locklab
