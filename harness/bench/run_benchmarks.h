// Runs the suites with Google Benchmark, and computes figures from their repetitions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/statistics.h"
#include "harness/bench/suites.h"

namespace locklab {

/// Names and values shown with the results: what they were measured on.
using BenchmarkContext = std::vector<std::pair<std::string, std::string>>;

/// One benchmark, over its repetitions.
struct BenchmarkRow {
    std::string name;
    /// The key:value parts of the name, and as "suite" the text before them.
    std::map<std::string, std::string> parts;
    std::size_t repetitions = 0;
    /// Microseconds of one grant, step or whatever the suite times.
    Median time_us;
    std::map<std::string, Median> figures;
    std::string error;  ///< of a repetition that failed
};

struct BenchmarkResult {
    /// False if a flag is unknown or no benchmark fits; Google Benchmark has said so on stderr.
    bool ran = false;
    std::string json;  ///< Google Benchmark's own
    std::vector<BenchmarkRow> rows;
    /// Versions of the measured software, by name.
    BenchmarkContext versions;
    /// One sentence for each reason to doubt the figures.
    std::vector<std::string> noise;
};

/// `flags` are Google Benchmark's own; `registration` registers the benchmarks. Repetitions of all
/// benchmarks are mixed at random; their number is kUsualRepetitions unless a flag says otherwise.
/// If a flag asks for a format, Google Benchmark prints that on stdout; otherwise nothing is
/// printed.
BenchmarkResult run_benchmarks(const std::vector<std::string>& flags, Workbench& bench,
                               const std::function<void()>& registration,
                               const BenchmarkContext& context);

inline constexpr int kUsualRepetitions = 6;

}  // namespace locklab
