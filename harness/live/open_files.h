// Numbers of open files of live runs.
#pragma once

#include <cstddef>

namespace locklab {

/// A client's connections to a server: worker and background tasks, each before and after a
/// time-out.
inline constexpr std::size_t kFilesPerServer = 4;
/// Files that do not belong to runs.
inline constexpr std::size_t kOtherFiles = 64;

}  // namespace locklab
