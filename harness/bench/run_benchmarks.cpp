#include "harness/bench/run_benchmarks.h"

#include <benchmark/benchmark.h>
#include <hiredis/hiredis.h>
#include <uv.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "harness/bench/noise.h"

namespace locklab {

namespace {

/// Largest relative spread of the middle half of the floor's values.
constexpr double kMostSpread = 0.2;

using Values = std::map<std::string, std::vector<double>>;

struct Collected {
    std::string name;
    Values values;
    std::size_t repetitions = 0;
    std::string error;
};

/// Writes Google Benchmark's JSON, and keeps the results of each repetition.
class Collector final : public benchmark::JSONReporter {
public:
    explicit Collector(std::ostream& json) { SetOutputStream(&json); }

    void ReportRuns(const std::vector<Run>& reported) override {
        std::vector<Run> runs = reported;
        for (Run& run : runs) {
            // JSON has no such number, but Google Benchmark's relative deviation of a mean of zero
            // is one.
            std::erase_if(run.counters,
                          [](const auto& counter) { return !std::isfinite(counter.second.value); });
            if (run.run_type == Run::RT_Iteration) take(run);
        }
        JSONReporter::ReportRuns(runs);
    }
    const std::vector<Collected>& collected() const { return collected_; }

private:
    void take(const Run& run) {
        std::string name = run.run_name.function_name;
        if (!run.run_name.args.empty()) name += "/" + run.run_name.args;
        auto found = std::find_if(collected_.begin(), collected_.end(),
                                  [&](const Collected& each) { return each.name == name; });
        if (found == collected_.end()) {
            found = collected_.insert(found, Collected{name, {}, 0, {}});
        }
        if (run.error_occurred) {
            found->error = run.error_message;
            return;
        }
        ++found->repetitions;
        const double to_us = 1e6 / benchmark::GetTimeUnitMultiplier(run.time_unit);
        found->values[""].push_back(run.GetAdjustedRealTime() * to_us);
        for (const auto& [counter, value] : run.counters) {
            found->values[counter].push_back(value.value);
        }
    }

    std::vector<Collected> collected_;
};

std::map<std::string, std::string> parts_of(const std::string& name) {
    std::map<std::string, std::string> parts;
    std::string suite;
    std::istringstream words(name);
    for (std::string word; std::getline(words, word, '/');) {
        const std::size_t colon = word.find(':');
        if (colon != std::string::npos) {
            parts[word.substr(0, colon)] = word.substr(colon + 1);
        } else {
            suite += (suite.empty() ? "" : "/") + word;
        }
    }
    parts["suite"] = suite;
    return parts;
}

BenchmarkRow row_of(const Collected& collected) {
    BenchmarkRow row;
    row.name = collected.name;
    row.parts = parts_of(collected.name);
    row.repetitions = collected.repetitions;
    row.error = collected.error;
    for (const auto& [counter, values] : collected.values) {
        (counter.empty() ? row.time_us : row.figures[counter]) = median_of(values);
    }
    return row;
}

bool floor_is_unsteady(const Collected& collected) {
    const auto found = collected.values.find("floor_per_s");
    if (found == collected.values.end()) return false;
    std::vector<double> values = found->second;
    std::sort(values.begin(), values.end());
    const double spread = percentile(values, 0.75) - percentile(values, 0.25);
    return spread > kMostSpread * percentile(values, 0.5);
}

/// Order of names without one of their own: as text, with numbers by value.
bool comes_before(const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
}

/// In order of registration, not as the mixed repetitions finished.
void put_in_order(std::vector<BenchmarkRow>& rows, const std::vector<std::string>& names) {
    const auto place = [&](const BenchmarkRow& row) {
        return std::find(names.begin(), names.end(), row.name) - names.begin();
    };
    std::sort(rows.begin(), rows.end(), [&](const BenchmarkRow& a, const BenchmarkRow& b) {
        return place(a) != place(b) ? place(a) < place(b) : comes_before(a.name, b.name);
    });
}

BenchmarkContext versions_of(const Workbench& bench) {
    const std::string hiredis = std::to_string(HIREDIS_MAJOR) + "." +
                                std::to_string(HIREDIS_MINOR) + "." + std::to_string(HIREDIS_PATCH);
    return {{"redis", bench.redis_version()}, {"hiredis", hiredis}, {"libuv", uv_version_string()}};
}

bool is_given(const std::vector<std::string>& flags, const std::string& flag) {
    return std::any_of(flags.begin(), flags.end(),
                       [&](const std::string& each) { return each.starts_with(flag); });
}

}  // namespace

void register_own(Workbench& bench, const LiveParameters& parameters) {
    register_uncontended(bench, parameters);
    register_distinct(bench, parameters);
    register_contended(bench, parameters);
    register_arrivals(bench, parameters);
    register_recovery(bench, parameters);
    register_many_clients(bench, parameters);
    register_redis_benchmark(bench);
    register_proxy_hop(bench);
    register_sim_plane(bench);
    register_sim_steps();
    register_explore(bench);
}

BenchmarkResult run_benchmarks(const std::vector<std::string>& flags, Workbench& bench,
                               const std::function<void()>& registration,
                               const BenchmarkContext& context) {
    std::vector<std::string> words{"locklab bench"};
    words.push_back("--benchmark_repetitions=" + std::to_string(kUsualRepetitions));
    words.push_back("--benchmark_enable_random_interleaving=true");
    words.insert(words.end(), flags.begin(), flags.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    BenchmarkResult result;
    if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return result;
    for (const auto& [name, value] : context) benchmark::AddCustomContext(name, value);
    registration();

    std::ostringstream json;
    Collector collector(json);
    const bool own_format =
        is_given(flags, "--benchmark_format") || is_given(flags, "--benchmark_list_tests");
    const NoiseMeter noise;
    result.ran = (own_format ? benchmark::RunSpecifiedBenchmarks()
                             : benchmark::RunSpecifiedBenchmarks(&collector)) > 0;
    benchmark::Shutdown();
    bench.at_end();
    result.json = json.str();
    result.noise = noise.sentences(bench.server_seconds());
    result.versions = versions_of(bench);
    std::size_t unsteady = 0;
    for (const Collected& each : collector.collected()) {
        if (each.repetitions > 0 || !each.error.empty()) result.rows.push_back(row_of(each));
        unsteady += floor_is_unsteady(each) ? 1 : 0;
    }
    put_in_order(result.rows, bench.names());
    if (unsteady > 0) {
        result.noise.push_back("In " + std::to_string(unsteady) + " of " +
                               std::to_string(result.rows.size()) +
                               " rows the floor itself varied by more than 20 %.");
    }
    return result;
}

}  // namespace locklab
