// Commands as one would type them in the current folder, for whoever pastes them into a shell.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace locklab {

/// One word for a shell: quoted if it has to be.
std::string in_shell(std::string_view word);

/// A path, relative where it lies below the current folder.
std::string typed(const std::filesystem::path& path);

/// ./locklab, with the path of its folder where that is not the current one.
std::string typed_program();

}  // namespace locklab
