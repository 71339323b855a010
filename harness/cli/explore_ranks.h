// `mpirun -n N locklab explore ...`: N ranks that share the states of one search. The first speaks;
// the others are silent, unless something goes wrong there alone.
#pragma once

#include <functional>

#include "harness/cli/command_line.h"
#include "harness/explore/ranks.h"

namespace locklab {

/// Waits for all ranks, and sees that they run one build with these words. Null if this process was
/// started by itself. Throws UsageError, and std::runtime_error.
using OpenRanks = std::function<Ranks*(const Arguments& arguments)>;

/// Runs the verb in this rank, or in this process, and returns the exit code. `run` opens the ranks
/// when it has checked its words, which all ranks do alike.
int in_ranks(const std::function<int(const OpenRanks& open)>& run);

/// What ranks do not answer is refused: UsageError.
void check_ranks(const CommandLine& line);

}  // namespace locklab
