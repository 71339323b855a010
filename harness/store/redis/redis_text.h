// How Redis reads its arguments (whole numbers, and case-insensitive words), and how it fits any
// text into an error, which is a single line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace locklab {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Whether `word`, in any case, is `name`, which is in lower case.
constexpr bool is_word(std::string_view word, std::string_view name) {
    if (word.size() != name.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (lower(word[i]) != name[i]) return false;
    }
    return true;
}

/// Redis accepts a number only in the form that it prints: no plus, no space, no leading zero.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || (digits[0] == '0' && text != "0")) return std::nullopt;
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || end != last) return std::nullopt;
    return value;
}

constexpr bool is_break(char c) { return c == '\r' || c == '\n'; }

/// Without the line breaks at both ends.
constexpr std::string_view trim_breaks(std::string_view text) {
    while (!text.empty() && is_break(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_break(text.back())) text.remove_suffix(1);
    return text;
}

/// With spaces in place of line breaks.
inline std::string one_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(line, is_break, ' ');
    return line;
}

}  // namespace locklab
