// locklab bench: the speed of locks, libraries, and the harness. Google Benchmark's flags pass
// through.

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/bench/measured_drivers.h"
#include "harness/bench/run_benchmarks.h"
#include "harness/bench/tables.h"
#include "harness/cli/campaign_options.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/progress.h"
#include "harness/cli/world_options.h"
#include "harness/core/duration_text.h"
#include "harness/core/nearest.h"
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
        kServerOption,
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

/// The manifest as flat names and values, as Google Benchmark's context requires.
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

/// The measured processes, if operands name some.
class MeasuredSubjects {
public:
    MeasuredSubjects(const CommandLine& line, const LiveParameters& parameters) {
        if (line.operands().empty()) return;
        check(line);
        subjects_ = subjects_of(line.operands()[0]);
        for (const auto& subject : subjects_) {
            check_ttl(*subject, parameters.ttl);
            drivers_.push_back(std::make_unique<MeasuredDrivers>(*subject, "/proc/self/exe"));
        }
    }

    bool empty() const { return drivers_.empty(); }
    void register_in(Workbench& bench, const LiveParameters& parameters) {
        for (const auto& each : drivers_) register_drivers_uncontended(bench, *each, parameters);
        for (const auto& each : drivers_) register_drivers_contended(bench, *each, parameters);
    }
    void end() {
        for (const auto& each : drivers_) each->end();
    }
    void add_versions(BenchmarkContext& context) const {
        for (const auto& each : subjects_) {
            if (!each->version().empty()) context.emplace_back(each->operand(), each->version());
        }
    }

private:
    static void check(const CommandLine& line) {
        const std::string& operand = line.operands()[0];
        if (algorithm_named(operand) != nullptr) {
            throw UsageError("bench measures " + operand + " with all of our own locks; right " +
                             "would be --benchmark_filter=lock:" + operand +
                             "/, or driver:" + operand + " for processes of it");
        }
        if (!names_drivers(operand)) {
            throw UsageError("bench does not know " + in_quotes(operand) +
                             "; right would be lib:NAME, libraries, driver:A, or to leave it out");
        }
        if (!redis_option(line, WorldKind::live).empty()) {
            throw UsageError(
                std::string("driver processes have a redis-server of their own; ") +
                "right would be " +
                (line.has("redis") ? "to leave out --redis" : "to unset LOCKLAB_REDIS"));
        }
    }
    static void check_ttl(const Subject& subject, Duration ttl) {
        if (ttl >= subject.least_ttl()) return;
        throw UsageError(subject.operand() + " takes no TTL below " +
                         to_string(subject.least_ttl()) + "; right would be --ttl " +
                         to_string(subject.usual_ttl()));
    }

    Subjects subjects_;
    std::vector<std::unique_ptr<MeasuredDrivers>> drivers_;
};

}  // namespace

int bench_verb(const Arguments& arguments) {
    Arguments flags;
    Arguments own;
    for (const std::string& word : arguments) {
        (is_google_benchmarks(word) ? flags : own).push_back(word);
    }
    CommandLine line("bench", bench_options(), 1,
                     "Options, beside those of Google Benchmark (--benchmark_filter=...)");
    if (!line.parse(own)) return kExitHolds;
    const LiveParameters parameters = parameters_of(line);
    MeasuredSubjects measured(line, parameters);
    Workbench bench;
    bench.small = line.has("small");
    bench.redis = redis_option(line, WorldKind::live);
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    if (!bench.redis.empty()) LiveServer reachable(bench.redis, watcher);
    clean_up_after_killed_runs("", watcher);
    bench.stop = watcher.stop;
    bench.tell = [&](std::string_view name) { progress.show(name); };

    bench.at_end = [&] { measured.end(); };
    BenchmarkContext context = manifest_context();
    measured.add_versions(context);
    const auto registration = [&] {
        if (measured.empty()) return register_own(bench, parameters);
        measured.register_in(bench, parameters);
    };

    const BenchmarkResult result = run_benchmarks(flags, bench, registration, context);
    progress.clear();
    if (!result.ran) return kExitUsage;
    if (line.json()) {
        std::cout << benchmark_json(result).dump(2) << "\n";
    } else {
        std::cout << benchmark_tables(result);
    }
    if (bench.stopped()) {
        std::cerr << "locklab: interrupted; what is shown was measured before\n";
    }
    bool complete = !bench.stopped();
    for (const BenchmarkRow& row : result.rows) complete = complete && row.error.empty();
    return complete ? kExitHolds : kExitUnknown;
}

}  // namespace locklab
