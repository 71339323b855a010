// The digest by which files of a run, and builds of the program, are known again.
#pragma once

#include <filesystem>
#include <string>

namespace locklab {

/// SHA-1 of a file's bytes in hexadecimal; empty if it cannot be read, or is larger than a file of
/// a run may be.
std::string digest_of_file(const std::filesystem::path& file);

}  // namespace locklab
