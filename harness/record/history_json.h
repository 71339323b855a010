// Histories as JSON Lines (see README.md): a header, one event a line, and an end.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string_view>

#include "harness/core/history.h"
#include "harness/record/json_line.h"

namespace locklab {

/// Equal histories give equal bytes. Bytes that are not UTF-8 become U+FFFD.
void write_history(std::ostream& out, const History& history);

/// Reads what write_history wrote, or a foreign history. Throws FormatError; `name` is the file,
/// as messages are to call it.
History read_history(std::istream& in, std::string_view name);

/// Throws FileError if the file cannot be opened.
History read_history_file(const std::filesystem::path& path);

}  // namespace locklab
