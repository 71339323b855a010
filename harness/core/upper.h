// Redis command names are case-insensitive; we compare them in upper case.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace locklab {

inline std::string upper(std::string_view word) {
    std::string text(word);
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

}  // namespace locklab
