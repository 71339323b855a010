// `locklab explore A --starvation`: whether a client can be passed over for ever.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/core/lock.h"

namespace locklab {

/// Refuses options that do not fit this question. Throws UsageError.
void check_starvation(const CommandLine& line);

/// Lock by lock. Returns the exit code.
int show_starvation(const CommandLine& line, const std::vector<const Algorithm*>& locks,
                    const std::filesystem::path& traces);

}  // namespace locklab
