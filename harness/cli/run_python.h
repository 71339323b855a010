// Runs the verbs that are written in Python (plots/), which reads only result files.
#pragma once

#include "harness/cli/verbs.h"

namespace locklab {

/// Runs plots/VERB.py with these words; it shares our output. Returns its exit code; it has
/// reported errors on stderr. Throws std::runtime_error if Python is missing.
int run_python(const std::string& verb, Arguments words);

}  // namespace locklab
