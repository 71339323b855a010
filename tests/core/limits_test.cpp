// The table of bounds in CONTRIBUTING.md, and what the code has.

#include "harness/core/limits.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "tests/core/places.h"
#include "tests/core/readme.h"

namespace locklab::limits_test {
namespace {

std::string content_of(const std::string& file) {
    std::ifstream in(source_dir() + "/" + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// 1,000,000 without its commas.
std::uint64_t number(std::string text) {
    std::erase(text, ',');
    return std::stoull(text);
}

/// What stands in the first column of a table, and the number beside it.
std::map<std::string, std::uint64_t> numbers_of(const std::string& table) {
    std::map<std::string, std::uint64_t> numbers;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        const bool is_row = line.starts_with("| ") && !line.starts_with("| what |");
        if (!is_row) continue;
        const std::size_t end = line.find(" | ");
        const std::size_t last = line.find(" | ", end + 3);
        numbers[line.substr(2, end - 2)] = number(line.substr(end + 3, last - end - 3));
    }
    return numbers;
}

TEST(Limits, are_as_the_table_says) {
    const std::map<std::string, std::uint64_t> in_code{
        {"clients of a history, trace or campaign", kMostClients},
        {"bytes of a line of a history", kLongestLine},
        {"lines of a history", kMostLines},
        {"overlaps of a history whose cause is looked for", kMostOverlaps},
        {"bytes of a trace", kMostTrace},
        {"nesting of JSON", kDeepestJson},
        {"nesting of YAML", kDeepestYaml},
        {"bytes of a scenario", kMostYaml},
        {"steps of a find", kMostSteps},
        {"moves of a scenario's play, or of a find's newcomer", kMostMoves},
        {"events of a simulated run", kMostEvents},
        {"waits of a client within the patience of a run", kMostTries},
        {"instructions of a script", kMostInstructions},
        {"bytes that a script holds", kMostScriptBytes},
        {"seconds of processor time for a part of a judgement", kMostApartSeconds},
        {"bytes of a judgement in a child process", kMostApartBytes},
        {"bytes of a server's reply", kMostReply},
        {"bytes of a command or reply through the proxy", kMostFrame},
        {"connections through the proxy, each client an equal share", kMostConnections},
        {"bytes that the proxy holds for all its connections", kMostHeldByProxy},
        {"bytes of what went through the proxy of one run", kMostLinkLog},
        {"bytes of a file of a run, for the report and `--resume`", kMostRunFile},
    };
    EXPECT_EQ(numbers_of(between(content_of("CONTRIBUTING.md"), "## Bounds\n", "\n## ")), in_code);
}

TEST(Limits, are_those_of_the_report) {
    const std::string digits = between(content_of("plots/run_files.py"), "\nMOST_BYTES = ", "\n");
    std::string plain = digits;
    std::erase(plain, '_');
    EXPECT_EQ(std::stoull(plain), kMostRunFile);
}

}  // namespace
}  // namespace locklab::limits_test
