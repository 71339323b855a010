// What tests look up in a README, so that it cannot drift from what it describes.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace locklab {

/// What stands between two marks; nothing, and a failure, if they are not there.
inline std::string between(const std::string& text, std::string_view from, std::string_view to) {
    const std::size_t begin = text.find(from);
    EXPECT_NE(begin, std::string::npos) << "no " << from;
    if (begin == std::string::npos) return "";
    const std::size_t end = text.find(to, begin + from.size());
    EXPECT_NE(end, std::string::npos) << "no " << to << " after " << from;
    return text.substr(begin + from.size(), end - begin - from.size());
}

/// Everything in backquotes in the first column of the section's table.
inline std::vector<std::string> first_column(const std::string& section) {
    std::vector<std::string> words;
    std::istringstream lines(section);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) continue;
        const std::string cell = line.substr(0, line.find(" | ", 2));
        for (std::size_t at = cell.find('`'); at != std::string::npos;) {
            const std::size_t end = cell.find('`', at + 1);
            words.push_back(cell.substr(at + 1, end - at - 1));
            at = cell.find('`', end + 1);
        }
    }
    return words;
}

}  // namespace locklab
