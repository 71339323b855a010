// locklab bench: how fast locks are, and the harness. Google Benchmark's flags pass through.

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/bench/run_benchmarks.h"
#include "harness/bench/tables.h"
#include "harness/cli/campaign_options.h"
#include "harness/cli/progress.h"
#include "harness/cli/world_options.h"
#include "harness/live/live_server.h"
#include "harness/record/manifest.h"
#include "harness/suite/bench_row.h"

namespace locklab {

namespace {

bool is_google_benchmarks(const std::string& word) {
    return word.starts_with("--benchmark") || word.starts_with("--v=");
}

OptionList bench_options() {
    return {
        {"hold", preset("500us"), "how long a holder holds the lock"},
        {"think", preset("0"), "how long it then stays away (0: not at all)"},
        {"retry", preset("1ms"), "waiting time between two tries"},
        {"wait", kText,
         "waiting policy: fixed, jitter, exponential (default: jitter, and the others compared)"},
        {"ttl", preset("10s"), "time to live of the lock"},
        {"small", kFlag, "hardly measure: only see that everything works"},
        {"redis", kText, "use the Redis at host:port (or LOCKLAB_REDIS)"},
    };
}

LiveParameters parameters_of(const CommandLine& line) {
    LiveParameters parameters;
    parameters.hold = duration_option(line, "hold");
    if (line.get("think") != "0") parameters.think = duration_option(line, "think");
    parameters.retry = duration_option(line, "retry");
    parameters.ttl = duration_option(line, "ttl");
    if (line.has("wait")) parameters.waits = {wait_option(line)};
    return parameters;
}

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
    Arguments own;
    for (const std::string& word : arguments) {
        (is_google_benchmarks(word) ? flags : own).push_back(word);
    }
    CommandLine line("bench", bench_options(), 0,
                     "Options, beside those of Google Benchmark (--benchmark_filter=...)");
    if (!line.parse(own)) return kExitHolds;
    const LiveParameters parameters = parameters_of(line);
    Workbench bench;
    bench.small = line.has("small");
    bench.redis = redis_option(line);
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    if (!bench.redis.empty()) LiveServer reachable(bench.redis, watcher);
    clean_up_after_killed_runs("", watcher);
    bench.stop = watcher.stop;
    bench.tell = [&](std::string_view name) { progress.show(name); };

    const BenchmarkResult result = run_benchmarks(flags, bench, parameters, manifest_context());
    progress.clear();
    if (!result.ran) return kExitUsage;
    if (line.json()) {
        std::cout << benchmark_json(result).dump(2) << "\n";
    } else {
        std::cout << benchmark_tables(result);
    }
    bool complete = !bench.stopped();
    for (const BenchmarkRow& row : result.rows) complete = complete && row.error.empty();
    return complete ? kExitHolds : kExitUnknown;
}

}  // namespace locklab
