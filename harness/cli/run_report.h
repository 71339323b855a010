// The report is Python (plots/), and knows nothing but the result files.
#pragma once

#include <string>

namespace locklab {

/// Builds report.html and report.md in a run's folder. The report's own exit code; it has said
/// on stderr what is wrong. Throws std::runtime_error where there is no Python to run.
int run_report(const std::string& run_folder);

}  // namespace locklab
