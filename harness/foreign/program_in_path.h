// Finds the programs that manifests name: the file in PATH, and whether it is a script that starts
// the real program, as version managers install them (python3 of pyenv).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace locklab {

/// The file that runs as this program; a name with a folder is relative to `folder`.
std::optional<std::filesystem::path> program_in_path(const std::string& program,
                                                     const std::filesystem::path& folder = {});

/// "'python3' is shims/python3, a script for /usr/bin/env bash", with its whole path; empty: it is
/// no script.
std::string what_script(const std::string& program, const std::filesystem::path& folder = {});

}  // namespace locklab
