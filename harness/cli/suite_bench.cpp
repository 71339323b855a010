// The part of the suite that is about cost.

#include "harness/cli/bench_report.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/suite.h"

namespace locklab {

namespace {

/// What some minutes are enough for: the figures of the report, with fewer clients and rates, and
/// one transport.
constexpr const char* kQuick =
    "live/uncontended/.*/(over:unix|over:tcp/cpus:same)|"
    "live/distinct/.*/clients:(1|16|256)/over:unix|"
    "live/contended/.*/clients:(2|8|64)/.*/wait:jitter/|"
    "live/contended/lock:set_nx_lua/.*/wait:(fixed|exponential)/retry:1ms|"
    "live/arrivals/.*/rate:400/|"
    "live/(recovery|clients|redis_benchmark)/|"
    "sim/plane/";
/// What needs no Redis.
constexpr const char* kWithoutRedis = "sim/plane/";
constexpr int kFullRepetitions = 15;

}  // namespace

void run_bench_section(const SuiteContext& context, SuiteServer& servers, SuiteResult& result) {
    const bool live = servers.get() != nullptr;
    if (!live) {
        result.missing.push_back({"what each lock costs on a real Redis", servers.why_not()});
    }
    ProgressLine progress;
    Workbench bench;
    bench.small = context.size.is_tried_out();
    bench.redis = context.redis;
    bench.stop = &interrupt_flag();
    bench.tell = [&](std::string_view name) { progress.show("bench: " + std::string(name)); };
    const bool full = context.size.mode == "full";
    const int repetitions = bench.small ? 1 : full ? kFullRepetitions : kUsualRepetitions;
    const BenchmarkResult measured =
        run_benchmarks({std::string("--benchmark_filter=") + (!live  ? kWithoutRedis
                                                              : full ? "."
                                                                     : kQuick),
                        "--benchmark_repetitions=" + std::to_string(repetitions)},
                       bench, LiveParameters(), {});
    const nlohmann::ordered_json json = benchmark_json(measured);
    result.bench = {{"rows", json["rows"]}, {"noise", json["noise"]}};
    for (const auto& [name, version] : measured.versions) result.bench["versions"][name] = version;
}

}  // namespace locklab
