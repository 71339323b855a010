// Histories as JSON Lines (see README.md): a header, one event a line, and an end.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>

#include "harness/core/history.h"
#include "harness/record/json_line.h"

namespace locklab {

/// Equal histories give equal bytes. Bytes that are not UTF-8 become U+FFFD.
void write_history(std::ostream& out, const History& history);

/// Reads what write_history wrote, or a foreign history, event by event. Throws FormatError; the
/// stream and `name`, the file's name in messages, must outlive it.
class HistoryReader {
public:
    HistoryReader(std::istream& in, std::string_view name);
    ~HistoryReader();

    /// Complete except `clients`, which may be known only at the end.
    const HistoryHead& head() const;
    /// Nothing at the end of the file. The scripts of its commands live as long as scripts().
    std::optional<Event> next();
    /// Valid after the last event.
    Instant end() const;
    std::uint32_t clients() const;
    /// The last line read.
    std::size_t line() const;
    std::shared_ptr<const void> scripts() const;

private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

/// Reads what write_history wrote, or a foreign history. Throws FormatError; `name` is the file's
/// name in messages.
History read_history(std::istream& in, std::string_view name);

/// Throws FileError if the file cannot be opened.
History read_history_file(const std::filesystem::path& path);

}  // namespace locklab
