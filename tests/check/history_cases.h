// The histories of tests/data/histories, each with what is to be found in it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/core/places.h"

namespace locklab {

struct HistoryCase {
    std::string name;     ///< FILE_CASE
    nlohmann::json says;  ///< what its line says beside its name
    std::string text;     ///< a history, as `locklab check` reads it
};

inline void PrintTo(const HistoryCase& one, std::ostream* out) { *out << one.name; }

/// Ends a history that has a header, and no end, with its last event.
inline void end_history(std::string& text) {
    const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
    const auto line = nlohmann::json::parse(text.substr(last));
    if (line.value("event", "") == "end") return;
    const nlohmann::json end{{"event", "end"}, {"t_us", line.value("t_us", 0)}};
    text += end.dump() + "\n";
}

inline std::vector<HistoryCase> history_cases_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string beginning;
    std::vector<HistoryCase> cases;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object()) {
            throw std::runtime_error(file.string() + ":" + std::to_string(number) +
                                     ": not a JSON object");
        }
        if (json.contains("case")) {
            const std::string name = json["case"].get<std::string>();
            json.erase("case");
            cases.push_back({file.stem().string() + "_" + name, json, beginning});
            continue;
        }
        std::string& text = cases.empty() ? beginning : cases.back().text;
        if (json.contains("format")) text.clear();
        text += line + "\n";
    }
    for (HistoryCase& one : cases) end_history(one.text);
    return cases;
}

/// Of all files, in the order of their names.
inline std::vector<HistoryCase> history_cases() {
    std::set<std::filesystem::path> files;
    const std::filesystem::path folder = source_dir() + "/tests/data/histories";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".jsonl") files.insert(entry.path());
    }
    std::vector<HistoryCase> cases;
    for (const std::filesystem::path& file : files) {
        for (HistoryCase& one : history_cases_of(file)) cases.push_back(std::move(one));
    }
    return cases;
}

/// What is found, cut to what a case names: of an object all that is not zero, and of each element
/// of a list what is said of it.
inline nlohmann::json named_of(nlohmann::json found, const nlohmann::json& said) {
    const auto keep = [](nlohmann::json& object, const auto& is_kept) {
        for (auto it = object.begin(); it != object.end();) {
            it = is_kept(it) ? std::next(it) : object.erase(it);
        }
    };
    if (found.is_object()) {
        keep(found, [](auto it) { return !it->is_null() && *it != 0 && *it != false; });
    }
    for (std::size_t i = 0; found.is_array() && i < std::min(found.size(), said.size()); ++i) {
        if (!said[i].is_object()) continue;
        keep(found[i], [&](auto it) { return said[i].contains(it.key()); });
    }
    return found;
}

}  // namespace locklab
