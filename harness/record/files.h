// Result files: whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace locklab {

/// One sentence with the path and the system's reason.
class FileError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Creates or replaces the file. Its folder must exist. After a crash or an error the file is the
/// old one or the new one, never a part.
void write_file(const std::filesystem::path& path, std::string_view content);

/// The content of a file. Throws FileError if it cannot be read, or has more than `most` bytes: too
/// many for `what` ("a trace").
std::string read_text(const std::filesystem::path& path, std::size_t most, const std::string& what);
/// The same where nobody chose the path to read what somebody else is about to write: a pipe is an
/// error, and is not waited for.
std::string read_regular(const std::filesystem::path& path, std::size_t most,
                         const std::string& what);

/// Throws FileError if `path` is not a readable file.
std::ifstream open_to_read(const std::filesystem::path& path);

}  // namespace locklab
