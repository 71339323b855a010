// Results of benchmarks for `bench --json`, and for a suite's files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/bench/run_benchmarks.h"

namespace locklab {

/// Its medians with their 95 % intervals, and the values of its repetitions.
nlohmann::ordered_json to_json(const BenchmarkRow& row);
void read_row(const nlohmann::ordered_json& json, BenchmarkRow& row);

/// The benchmarks that a suite keeps.
struct BenchRows {
    std::vector<BenchmarkRow> rows;
    std::vector<std::string> noise;
    BenchmarkContext versions;
};

nlohmann::ordered_json to_json(const BenchRows& bench);
void read_row(const nlohmann::ordered_json& json, BenchRows& bench);

/// Google Benchmark's own JSON, with versions in its context; besides, `rows`, one for each
/// benchmark, and `noise`, sentences.
nlohmann::ordered_json benchmark_json(const BenchmarkResult& result);

}  // namespace locklab
