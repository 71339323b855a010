// How many files live runs may have open at once.
#pragma once

#include <cstddef>

namespace locklab {

/// A client's connections to a server: worker and background tasks, each before and after a
/// timeout.
inline constexpr std::size_t kFilesPerServer = 4;
/// Beside those of runs.
inline constexpr std::size_t kOtherFiles = 64;

}  // namespace locklab
