// locklab demo: one race, its fix, and one search, by other verbs.

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/cli/command_line.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

struct Example {
    std::string_view says;
    int (*run)(const Arguments& arguments);
    Arguments words;  ///< the command that repeats it
    int code;         ///< its exit code
};

const std::array<Example, 4>& examples() {
    static const std::array<Example, 4> all{{
        {"The race. Many articles take a lock with SET NX EX and release it with DEL. Here the job "
         "of A\ntakes longer than the TTL.",
         scenario_verb,
         {"scenario", "slow_holder_deletes_anothers_lock", "--algorithm", "set_nx_del"},
         kExitHolds},
        {"The fix. A token as the value, and a script that deletes the key only where it finds "
         "its own:\nC stays out. A and B are still inside at once, which no release can mend.",
         scenario_verb,
         {"scenario", "slow_holder_deletes_anothers_lock", "--algorithm", "set_nx_lua"},
         kExitHolds},
        {"The search. Is the fix enough when a request comes late? Every schedule within these "
         "bounds\nis tried, and none breaks it.",
         explore_verb,
         {"explore", "set_nx_lua", "--faults", "delay_request=1"},
         kExitHolds},
        {"And what is left. A client may stop for longer than the TTL, and nobody tells it: the "
         "shortest\nschedule that breaks the fixed lock.",
         explore_verb,
         {"explore", "set_nx_lua", "--faults", "pause=1"},
         kExitViolated},
    }};
    return all;
}

std::string command_of(const Example& example) {
    std::string command = "./locklab";
    for (const std::string& word : example.words) command += " " + word;
    return command;
}

int run(const Example& example, bool json) {
    Arguments arguments(example.words.begin() + 1, example.words.end());
    if (json) arguments.push_back("--json");
    return example.run(arguments);
}

/// The output of an example with --json.
Json object_of(const Example& example, int& code) {
    std::ostringstream printed;
    std::streambuf* const stdout_buffer = std::cout.rdbuf(printed.rdbuf());
    try {
        code = run(example, true);
    } catch (...) {
        std::cout.rdbuf(stdout_buffer);
        throw;
    }
    std::cout.rdbuf(stdout_buffer);
    return Json::parse(printed.str());
}

int tell() {
    int number = 0;
    bool as_expected = true;
    for (const Example& example : examples()) {
        std::cout << "== " << ++number << " of " << examples().size() << ". " << example.says
                  << "\n\n$ " << command_of(example) << std::endl;
        as_expected &= run(example, false) == example.code;
        std::cout << "\n";
    }
    std::cout
        << "Next: ./locklab list shows all locks, races and faults; ./locklab suite runs them "
           "all and writes\nthe report.\n";
    return as_expected ? kExitHolds : kExitViolated;
}

int print_json() {
    Json found{{"parts", Json::array()}};
    bool as_expected = true;
    for (const Example& example : examples()) {
        int code = 0;
        Json result = object_of(example, code);
        as_expected &= code == example.code;
        found["parts"].push_back(
            {{"command", command_of(example)}, {"exit", code}, {"result", std::move(result)}});
    }
    found["as_expected"] = as_expected;
    std::cout << found.dump(2) << "\n";
    return as_expected ? kExitHolds : kExitViolated;
}

}  // namespace

int demo_verb(const Arguments& arguments) {
    CommandLine line("demo", {}, 0);
    if (!line.parse(arguments)) return kExitHolds;
    return line.json() ? print_json() : tell();
}

}  // namespace locklab
