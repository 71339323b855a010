#include "harness/bench/run_benchmarks.h"

#include <benchmark/benchmark.h>

namespace locklab {

bool run_benchmarks(const std::vector<std::string>& arguments, const BenchmarkContext& context) {
    std::vector<std::string> words{"locklab bench"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return false;
    for (const auto& [name, value] : context) benchmark::AddCustomContext(name, value);
    const std::size_t ran = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return ran > 0;
}

}  // namespace locklab
