// Runs the registered Google Benchmark suites.
#pragma once

#include <string>
#include <vector>

namespace locklab {

/// `arguments` are Google Benchmark's own flags. Returns false, having said why on stderr, if
/// one of them is not. Results go to stdout.
bool run_benchmarks(const std::vector<std::string>& arguments);

}  // namespace locklab
