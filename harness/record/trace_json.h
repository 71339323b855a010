// Traces: all that is needed to repeat a simulated run, to the byte. One line of JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/run_spec.h"
#include "harness/record/json_line.h"

namespace locklab {

struct Trace {
    RunSpec spec;
    std::uint64_t seed = 0;  ///< of the campaign that found it, for its history's header
    std::uint64_t run = 0;
    std::vector<std::uint32_t> picks;
};

/// Configuration of a live run, needed to check whether the rules allow its history, and the worst
/// delay of its process.
struct GivenRun {
    RunSpec spec;
    Duration lag{0};
};

using FindAlgorithm = const Algorithm* (*)(std::string_view name);

std::string to_json(const Trace& trace);

/// For the head of the run's history (HistoryHead::given).
std::string to_json(const GivenRun& given);
/// Throws FormatError with one sentence that names `name`.
GivenRun read_given(std::string_view text, std::string_view name, FindAlgorithm find);

/// Throws FormatError with one sentence that names `name`, the error and the right form.
Trace read_trace(std::string_view text, std::string_view name, FindAlgorithm find);

/// The content of a trace file of any kind. Throws FileError if it cannot be read, or is longer
/// than kMostTrace.
std::string text_of_trace(const std::filesystem::path& path);

/// The same for a file. Throws FileError if it cannot be read.
Trace read_trace_file(const std::filesystem::path& path, FindAlgorithm find);

}  // namespace locklab
