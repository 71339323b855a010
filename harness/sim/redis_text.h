// How Redis reads its arguments: whole numbers, and words in which case does not matter.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace locklab {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// `word` in any case; `name` in lower case.
constexpr bool is_word(std::string_view word, std::string_view name) {
    if (word.size() != name.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (lower(word[i]) != name[i]) return false;
    }
    return true;
}

/// Redis accepts a number only as it would print it: no plus, no space, no leading zero.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || (digits[0] == '0' && text != "0")) return std::nullopt;
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || end != last) return std::nullopt;
    return value;
}

}  // namespace locklab
