// Traces: all that a simulated run needs to be run again, to the byte. One line of JSON.
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

/// What a live run was given, so that can be asked whether the rules allow its history, and how
/// late its process was at worst.
struct GivenRun {
    RunSpec spec;
    Duration lag{0};
};

using FindAlgorithm = const Algorithm* (*)(std::string_view name);

std::string to_json(const Trace& trace);

/// Of a run, as the head of its history has it (HistoryHead::given).
std::string to_json(const GivenRun& given);
/// Throws FormatError with one sentence that names `name`.
GivenRun read_given(std::string_view text, std::string_view name, FindAlgorithm find);

/// Throws FormatError with one sentence that names `name`, what is wrong and what would be right.
Trace read_trace(std::string_view text, std::string_view name, FindAlgorithm find);

/// What is in the file of a trace, of whatever kind. Throws FileError if it cannot be read, or is
/// longer than kMostTrace.
std::string text_of_trace(const std::filesystem::path& path);

/// The same for a file. Throws FileError if it cannot be read.
Trace read_trace_file(const std::filesystem::path& path, FindAlgorithm find);

}  // namespace locklab
