// The programs that manifests name: which file of PATH is meant, and whether it is a script that
// starts the program itself, as version managers put them there (python3 of pyenv).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace locklab {

/// The file that is run as this program; a name with a folder is that of a file of `folder`.
std::optional<std::filesystem::path> program_in_path(const std::string& program,
                                                     const std::filesystem::path& folder = {});

/// "'python3' is shims/python3, a script for /usr/bin/env bash", with its whole path; empty: it is
/// none.
std::string what_script(const std::string& program, const std::filesystem::path& folder = {});

}  // namespace locklab
