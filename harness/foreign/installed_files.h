// The files of an installed library, and whether they are still those that were installed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace locklab {

/// Each file in the folder, sorted: its digest and its name, a line each; of a link, where it
/// leads. The stamp is left out. Throws FileError.
std::string list_of_files(const std::filesystem::path& installed);

/// The first file that is not as the list says, or that it does not have; empty: there is none.
/// What Python compiles as it runs may come.
std::string changed_file(const std::filesystem::path& installed, std::string_view list);

}  // namespace locklab
