// Commands as they go over the wire.
#pragma once

#include <string>
#include <vector>

namespace locklab {

inline std::string resp(const std::vector<std::string>& words) {
    std::string frame = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) {
        frame += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    }
    return frame;
}

}  // namespace locklab
