#include "harness/check/script_keys.h"

namespace locklab {

bool names_first_key_alone(std::string_view lua) {
    constexpr std::string_view kCall = "call(";
    constexpr std::string_view kFirst = "KEYS[1]";
    std::size_t at = lua.find(kCall);
    for (; at != std::string_view::npos; at = lua.find(kCall, at + 1)) {
        const std::size_t comma = lua.find_first_of(",)", at);
        if (comma == std::string_view::npos || lua[comma] != ',') return false;
        const std::size_t word = lua.find_first_not_of(' ', comma + 1);
        if (word == std::string_view::npos || !lua.substr(word).starts_with(kFirst)) return false;
        const std::size_t next = word + kFirst.size();
        const bool is_all = next < lua.size() && (lua[next] == ',' || lua[next] == ')');
        if (!is_all) return false;
    }
    return true;
}

}  // namespace locklab
