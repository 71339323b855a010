// Results of benchmarks as tables.
#pragma once

#include <string>

#include "harness/bench/run_benchmarks.h"

namespace locklab {

/// A table for each suite; the parts of names that differ are the first columns.
std::string benchmark_tables(const BenchmarkResult& result);

/// "0.97 (0.96 to 0.99)", or "1.01 (0.98 to 1.03), no difference resolved".
std::string ratio_text(const Median& ratio);

}  // namespace locklab
