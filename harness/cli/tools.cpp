// The verbs that hand over to another tool: bench (Google Benchmark), report (Python), test
// (the bootstrap script).

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/bench/run_benchmarks.h"
#include "harness/cli/command_line.h"
#include "harness/cli/run_report.h"
#include "harness/record/manifest.h"

namespace locklab {

namespace {

/// The manifest, flat: what Google Benchmark's context can hold.
BenchmarkContext manifest_context() {
    BenchmarkContext context;
    const nlohmann::ordered_json manifest = machine_manifest().flatten();
    for (const auto& [pointer, value] : manifest.items()) {
        std::string key = pointer.substr(1);
        std::replace(key.begin(), key.end(), '/', '_');
        context.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return context;
}

}  // namespace

int bench_verb(const Arguments& arguments) {
    Arguments flags;
    for (const std::string& word : arguments) {
        flags.push_back(word == "--json" ? "--benchmark_format=json" : word);
    }
    return run_benchmarks(flags, manifest_context()) ? kExitHolds : kExitUsage;
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
        const auto report = std::filesystem::path(folder) / "report.html";
        std::cout << nlohmann::ordered_json{{"report", report.string()}}.dump(2) << "\n";
    }
    return code;
}

int test_verb(const Arguments&) {
    throw UsageError("the tests are built and run from a checkout: ./locklab test");
}

}  // namespace locklab
