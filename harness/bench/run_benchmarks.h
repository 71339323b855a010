// Runs the registered Google Benchmark suites.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace locklab {

/// Names and values that stand beside the results, to say what they were measured on.
using BenchmarkContext = std::vector<std::pair<std::string, std::string>>;

/// `arguments` are Google Benchmark's own flags. Returns false, having said why on stderr, if
/// one of them is not, or if no benchmark fits them. Results go to stdout.
bool run_benchmarks(const std::vector<std::string>& arguments, const BenchmarkContext& context);

}  // namespace locklab
