// Numbers of open files of live runs.
#pragma once

#include <cstddef>
#include <span>

#include "harness/live/live_run.h"

namespace locklab {

/// A client's connections to a server: worker and background tasks, each before and after a
/// time-out.
inline constexpr std::size_t kFilesPerServer = 4;
/// Files that do not belong to runs.
inline constexpr std::size_t kOtherFiles = 64;

/// Throws std::invalid_argument if the process may not open as many files as its `parallel` largest
/// runs need. `runs` must not be empty.
void check_files(std::span<const LiveConfig> runs, std::size_t parallel);

}  // namespace locklab
