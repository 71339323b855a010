// Reads one sentence of a script, word by word, against the table of all sentences.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/stage/script.h"

namespace locklab {

/// An error in a sentence, and the byte at which the offending word begins.
class LineError : public std::runtime_error {
public:
    LineError(std::size_t offset, const std::string& what)
        : std::runtime_error(what), offset_(offset) {}
    std::size_t offset() const { return offset_; }

private:
    std::size_t offset_;
};

/// A line, and the first bytes of its words that later checks may complain of.
struct PlacedLine {
    Line line;
    std::size_t client_at = 0;
    std::size_t command_at = 0;
    std::size_t last_at = 0;
    std::size_t server_at = 0;
};

/// Reads a sentence about the clients of this cast: client i is called `cast[i]`. It may name one
/// of several servers: "Redis 2 restarts", "A's next SET at Redis 2 is lost". The caller fills in
/// the line's number; its text has one blank between words. Throws LineError.
PlacedLine read_line(std::string_view sentence, std::span<const std::string_view> cast);

}  // namespace locklab
