// Commands are known in any case of letters; here they are told apart in capitals.
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
