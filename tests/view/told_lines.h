// Reads the text of a timeline again: which steps it tells, in which order, at which times.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "harness/view/timeline_words.h"

namespace locklab {

/// What one line begins: a time (or ✗, or nothing), and the words after the lifelines.
struct ToldLine {
    std::string time;
    std::string words;
};

/// What the steps of a JSON file tell, in the order of the text.
inline std::vector<ToldLine> told_in(const nlohmann::ordered_json& steps) {
    std::vector<ToldLine> lines;
    for (const nlohmann::ordered_json& step : steps) {
        lines.push_back({step.at("time"), step.at("words")});
        for (const nlohmann::ordered_json& mark : step.at("marks")) {
            lines.push_back({"✗", mark.at("words")});
        }
    }
    return lines;
}

/// What stands in the column of times: "10.250", "✗", or nothing.
inline std::string told_time(const std::string& line) {
    constexpr std::size_t kColumns = 9;
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) return "";
    const std::string word = line.substr(begin, line.find(' ', begin) - begin);
    const bool number = word.find_first_not_of("0123456789.") == std::string::npos;
    const bool ends_there = begin + columns_of(word) == kColumns;
    return ends_there && (number || word == "✗") ? word : "";
}

/// The first thing that the text does not tell in this order, or tells beside it; else nothing.
inline std::string misfit_of(const std::string& text, const std::vector<ToldLine>& told) {
    std::istringstream lines(text);
    std::string line;
    for (const ToldLine& one : told) {
        const std::string begin = wrapped(one.words, 30)[0];
        bool found = false;
        while (!found && std::getline(lines, line)) {
            found = line.find(begin) != std::string::npos && told_time(line) == one.time;
            const std::string time = told_time(line);
            if (!found && !time.empty()) return "beside " + one.words + ": " + line;
        }
        if (!found) return one.time + " " + one.words;
    }
    while (std::getline(lines, line)) {
        if (!told_time(line).empty()) return line;
    }
    return "";
}

}  // namespace locklab
