// Reads one sentence of a script, word by word against a table of all sentences there are.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/stage/script.h"

namespace locklab {

/// What is wrong with a sentence, and at which of its bytes the offending word begins.
class LineError : public std::runtime_error {
public:
    LineError(std::size_t offset, const std::string& what)
        : std::runtime_error(what), offset_(offset) {}
    std::size_t offset() const { return offset_; }

private:
    std::size_t offset_;
};

/// A line, and at which bytes those of its words begin that somebody may find fault with.
struct PlacedLine {
    Line line;
    std::size_t client_at = 0;
    std::size_t command_at = 0;
    std::size_t last_at = 0;
    std::size_t server_at = 0;
};

/// Reads a sentence about the clients of this cast: client i is called `cast[i]`. It may say which
/// of several servers it means: "Redis 2 restarts", "A's next SET at Redis 2 is lost". The line's
/// number is left to the caller; its text has one blank between words. Throws LineError.
PlacedLine read_line(std::string_view sentence, std::span<const std::string_view> cast);

}  // namespace locklab
