// The verbs that start another tool: report and compare (Python), test (the bootstrap script).

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/command_line.h"
#include "harness/cli/run_python.h"

namespace locklab {

int report_verb(const Arguments& arguments) {
    CommandLine line("report", {}, 1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty()) {
        throw UsageError("which run? right would be: locklab report results/RUN");
    }
    const std::string& folder = line.operands()[0];
    const int code = run_python("report", {folder});
    if (code == kExitHolds && line.json()) {
        const auto report = std::filesystem::path(folder) / "report.html";
        std::cout << nlohmann::ordered_json{{"report", report.string()}}.dump(2) << "\n";
    }
    return code;
}

int compare_verb(const Arguments& arguments) {
    CommandLine line("compare", {}, 2);
    if (!line.parse(arguments)) {
        std::cout << "\nExit code: 0 if no verdict, threshold or race changed, 1 if one did, 2 if "
                     "none did, but a\nrun is incomplete or the two have no cell in common, 64 for "
                     "bad usage or input. Rates and\ncosts do not count: where many are compared, "
                     "chance alone resolves some.\n";
        return kExitHolds;
    }
    Arguments words = line.operands();
    if (words.size() < 2) {
        throw UsageError("which two runs? right would be: locklab compare results/A results/B");
    }
    if (line.json()) words.push_back("--json");
    return run_python("compare", std::move(words));
}

int test_verb(const Arguments&) {
    throw UsageError("the tests are built and run from a checkout: ./locklab test");
}

}  // namespace locklab
