// The verbs that hand over to another tool: bench (Google Benchmark), report (Python), test
// (the bootstrap script).

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "harness/bench/run_benchmarks.h"
#include "harness/cli/command_line.h"
#include "harness/cli/run_report.h"

namespace locklab {

int bench_verb(const Arguments& arguments) {
    Arguments flags;
    for (const std::string& word : arguments) {
        flags.push_back(word == "--json" ? "--benchmark_format=json" : word);
    }
    return run_benchmarks(flags) ? kExitHolds : kExitUsage;
}

int report_verb(const Arguments& arguments) {
    CommandLine line("report", po::options_description("Options"), 1);
    if (!line.parse(arguments)) return kExitHolds;
    if (line.operands().empty()) {
        throw UsageError("which run? right would be: locklab report results/RUN");
    }
    const std::string& folder = line.operands()[0];
    const int code = run_report(folder);
    if (code == kExitHolds && line.json()) {
        std::cout << "{\"report\": \"" << folder << "/report.html\"}\n";
    }
    return code;
}

int test_verb(const Arguments&) {
    throw UsageError("the tests are built and run from a checkout: ./locklab test");
}

}  // namespace locklab
