// "1 round", "2 rounds".
#pragma once

#include <cstdint>
#include <string>

namespace locklab {

inline std::string counted(std::uint64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

inline std::string counted(std::uint64_t count, const std::string& noun, const std::string& nouns) {
    return std::to_string(count) + " " + (count == 1 ? noun : nouns);
}

}  // namespace locklab
