// One line of a JSON Lines file, read strictly: anything missing, misspelt, of the wrong type or
// out of range is a FormatError, never a default.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/time.h"

namespace locklab {

/// One sentence that names the file, the line, the error and the right form.
class FormatError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The text under a key of a JSON object: enough to choose the reader. Empty if it is no object, or
/// no text. Keeps nothing else in memory.
std::string peek_text(std::string_view json, std::string_view key);

class JsonLine {
public:
    /// Parses `text`, which must be a JSON object. `file` must outlive the line.
    JsonLine(std::string_view file, std::size_t number, std::string_view text);

    [[noreturn]] void fail(const std::string& what) const;
    static FormatError error(std::string_view file, std::size_t number, const std::string& what);

    std::size_t number() const { return number_; }
    /// The value of a key, null if there is none.
    const nlohmann::json* peek(std::string_view key) const;
    /// The same, and marks the key as known for done().
    const nlohmann::json* find(std::string_view key);
    bool has(std::string_view key) { return find(key) != nullptr; }
    const nlohmann::json& at(std::string_view key);
    /// A nested object, read as strictly.
    JsonLine part(const nlohmann::json& object) const {
        return JsonLine(file_, number_, object.dump());
    }

    std::uint64_t whole(std::string_view key,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
    /// A time in microseconds, up to three centuries.
    Duration time(std::string_view key);
    /// The same, but may be negative.
    Duration amount(std::string_view key);
    std::string text(std::string_view key);
    bool flag(std::string_view key);
    /// The index of the key's word in `words`.
    std::size_t word(std::string_view key, std::span<const std::string_view> words);

    /// Call it last: fails if the line has a key that was never read.
    void done(std::string_view what) const;

private:
    std::string_view file_;
    std::size_t number_;
    nlohmann::json object_;
    std::vector<std::string_view> known_;
};

}  // namespace locklab
