#include "tests/tidy/limits.h"

#include <algorithm>
#include <array>

namespace locklab::tidy {

namespace {

/// The first row that fits a path says how many lines it may have.
struct Limit {
    std::string_view prefix;
    std::string_view suffix;
    std::size_t lines;
};
constexpr std::array<Limit, 13> kLimits{{
    {"harness/record/README.md", "", 120},  // is the reference of the history format
    {"README.md", "", 440},
    {"scenarios/README.md", "", 400},      // is the reference of the scenario language
    {"tests/mutants/README.md", "", 25},   // is the reference of their format
    {"", "/README.md", 10},
    {"algorithms/registry.cpp", "", 300},  // grows by a row with each algorithm
    {"algorithms/", ".cpp", 80},
    {"algorithms/", ".h", 80},
    {"harness/check/", ".cpp", 180},
    {"harness/", ".cpp", 300},
    {"harness/", ".h", 300},
    {"tests/", "", 400},
    {"plots/", ".py", 300},
}};

constexpr std::size_t kColumns = 100;

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(
        std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A line of a history or another file format, quoted whole in a test.
bool quotes_json(const Source& source, std::string_view line) {
    return source.path.starts_with("tests/") &&
           (line.starts_with("{\"") || line.find("R\"(") != std::string_view::npos);
}

/// What several locks make of a race stands under all their names, a key that YAML cannot break.
bool names_locks(const Source& source) { return source.path.starts_with("scenarios/"); }

}  // namespace

Findings check_file_length(const Source& source) {
    const std::string_view path = source.path;
    const auto fits = [path](const Limit& limit) {
        return path.starts_with(limit.prefix) && path.ends_with(limit.suffix);
    };
    const auto limit = std::ranges::find_if(kLimits, fits);
    const std::size_t lines = lines_of(source.text).size();
    if (limit == kLimits.end() || lines <= limit->lines) return {};
    return {{source.path, limit->lines + 1, "has " + std::to_string(lines) + " lines",
             "split what has two ideas; " + std::to_string(limit->lines) + " is the limit here"}};
}

Findings check_line_length(const Source& source) {
    Findings findings;
    if (source.path.ends_with(".md") || names_locks(source)) return findings;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(source.text)) {
        ++number;
        const std::size_t columns = characters(line);
        if (columns <= kColumns || quotes_json(source, line)) continue;
        findings.push_back({source.path, number, "has " + std::to_string(columns) + " columns",
                            "break it at " + std::to_string(kColumns)});
    }
    return findings;
}

Findings check_header_opening(const Source& source) {
    Findings findings;
    if (!source.path.ends_with(".h")) return findings;
    if (!source.text.starts_with("// ")) {
        findings.push_back({source.path, 1, "opens without a comment",
                            "begin with a sentence that says why this file exists"});
    }
    if (code_of(source).find("\n#pragma once\n") == std::string::npos) {
        findings.push_back({source.path, 1, "may be included twice", "add #pragma once"});
    }
    return findings;
}

Findings check_algorithm_opening(const Source& source) {
    const bool is_algorithm = source.path.starts_with("algorithms/") &&
                              source.path.ends_with(".cpp") && stem_of(source.path) != "registry";
    if (!is_algorithm) return {};
    constexpr std::array<std::string_view, 4> kFields{
        "// Article:", "// Idea:", "// Claims:", "// Breaks:"};
    std::size_t next = 0;
    std::size_t number = 0;
    for (const std::string_view line : lines_of(source.text)) {
        ++number;
        if (!line.starts_with("//")) break;
        if (next < kFields.size() && line.starts_with(kFields[next])) ++next;
        if (next == 0) break;
    }
    if (next == kFields.size()) return {};
    return {{source.path, number, "lacks " + std::string(kFields[next]),
             "open with // Article:, // Idea:, // Claims:, // Breaks:, in this order"}};
}

}  // namespace locklab::tidy
