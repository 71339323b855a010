// Writes and reads the files of a suite's run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/suite/suite.h"

namespace locklab {

/// Writes one JSON file for each part of the result, tables also as CSV, and last manifest.json,
/// which lists all of them with their digests. `seconds`: since result.seconds was counted. Throws
/// FileError.
void write_suite(const SuiteContext& context, const SuiteResult& result, double seconds);

IdentityRow suite_identity(const SuiteContext& context);

/// Texts of a run that name its program and its folder, where it was made. Their commands are to
/// work where it is now.
struct Moved {
    std::string from_program;
    std::string from_folder;
    std::string to_program;
    std::string to_folder;
};

/// The finished sections in the folder whose files are as its manifest lists them; not those that
/// are to be made anew, whose files are removed. Throws UsageError if the folder is of another run.
SuiteResult read_suite(const SuiteContext& context, const Moved& moved = {});

/// The witness files that the rows name, relative to the folder of the run.
std::vector<std::string> witness_files(const SuiteResult& result);
std::vector<std::string> witness_files(const std::vector<SuiteCellRow>& cells);
std::vector<std::string> witness_files(const std::vector<ThresholdRow>& rows);

}  // namespace locklab
