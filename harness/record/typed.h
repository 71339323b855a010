// Commands as typed in the current folder, to be pasted into a shell.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace locklab {

/// One word for a shell: quoted if necessary.
std::string in_shell(std::string_view word);

/// A path, relative if it is below the current folder.
std::string typed(const std::filesystem::path& path);
/// The same, not as a word of a shell.
std::string typed_unquoted(const std::filesystem::path& path);

/// ./locklab, with the path of its folder if that is not the current one.
std::string typed_program();

}  // namespace locklab
