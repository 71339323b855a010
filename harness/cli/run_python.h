// Some verbs are Python (plots/), which knows nothing but the result files.
#pragma once

#include "harness/cli/verbs.h"

namespace locklab {

/// Runs plots/VERB.py with these words; its output is ours. Its own exit code; it has said on
/// stderr what is wrong. Throws std::runtime_error where there is no Python to run.
int run_python(const std::string& verb, Arguments words);

}  // namespace locklab
