// What benchmarks gave, as JSON and as tables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/bench/run_benchmarks.h"

namespace locklab {

/// The manifest, flat: what Google Benchmark's context can hold.
BenchmarkContext manifest_context();

/// Google Benchmark's own JSON, with versions in its context; beside it `rows`, one for each
/// benchmark, with its medians and their 95 % intervals, and `noise`, sentences.
nlohmann::ordered_json benchmark_json(const BenchmarkResult& result);

/// A table for each suite, in which the parts of names that differ are the first columns.
std::string benchmark_tables(const BenchmarkResult& result);

/// "0.97 (0.96 to 0.99)", or "1.01 (0.98 to 1.03), no difference resolved".
std::string ratio_text(const Median& ratio);

}  // namespace locklab
