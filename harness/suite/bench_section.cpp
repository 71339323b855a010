// The suite's section on cost.

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "harness/bench/run_benchmarks.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

/// Benchmarks that take some minutes: the figures of the report, with fewer clients and rates, and
/// one transport.
constexpr const char* kQuick =
    "live/uncontended/.*/(over:unix|over:tcp/cpus:same)|"
    "live/distinct/.*/clients:(1|16|256)/over:unix|"
    "live/contended/.*/clients:(2|8|64)/.*/wait:jitter/|"
    "live/contended/lock:set_nx_lua/.*/wait:(fixed|exponential)/retry:1ms|"
    "live/arrivals/.*/rate:400/|"
    "live/(recovery|clients|redis_benchmark)/|"
    "sim/plane/";
/// Benchmarks without Redis.
constexpr const char* kWithoutRedis = "sim/plane/";
constexpr int kFullRepetitions = 15;

/// Number of benchmarks that match the filter, which is read as Google Benchmark reads it.
std::size_t matching(const std::vector<std::string>& names, const std::string& filter) {
    const std::regex expression(filter, std::regex::extended);
    return static_cast<std::size_t>(std::ranges::count_if(
        names, [&](const std::string& name) { return std::regex_search(name, expression); }));
}

}  // namespace

void run_bench_section(const SuiteContext& context, SuiteServer& servers, SuiteProgress& progress,
                       SuiteResult& result) {
    const bool live = servers.get() != nullptr;
    if (!live) {
        result.missing.push_back({"what each lock costs on a real Redis", servers.why_not()});
    }
    Workbench bench;
    bench.small = context.size.is_tried_out();
    bench.redis = context.redis;
    bench.stop = context.watcher.stop;
    const bool full = context.size.mode == "full";
    const int repetitions = bench.small ? 1 : full ? kFullRepetitions : kUsualRepetitions;
    const std::string filter = !live ? kWithoutRedis : full ? "." : kQuick;
    std::size_t begun = 0;
    std::size_t all = 0;
    bench.tell = [&](std::string_view name) {
        if (all == 0) all = repetitions * matching(bench.names(), filter);
        progress.show(name, begun++, all);
    };
    const BenchmarkResult measured = run_benchmarks(
        {"--benchmark_filter=" + filter, "--benchmark_repetitions=" + std::to_string(repetitions)},
        bench, [&] { register_own(bench, LiveParameters()); }, {});
    result.bench = {measured.rows, measured.noise, measured.versions};
}

}  // namespace locklab
