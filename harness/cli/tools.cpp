// The verbs that hand over to another tool: report (Python), test (the bootstrap
// script).

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/command_line.h"
#include "harness/cli/run_python.h"

namespace locklab {

int report_verb(const Arguments& arguments) {
    CommandLine line("report", po::options_description("Options"), 1);
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

int test_verb(const Arguments&) {
    throw UsageError("the tests are built and run from a checkout: ./locklab test");
}

}  // namespace locklab
