// The one function of the module that links MPI.
#pragma once

#include "harness/ranks/launched_ranks.h"

namespace locklab {

/// The file of the module, in the folder of the program.
inline constexpr const char* kMpiModule = "locklab_mpi.so";
inline constexpr const char* kOpenMpiRanks = "locklab_open_mpi_ranks";
using OpenMpiRanks = LaunchedRanks* (*)(const std::atomic<bool>& asked);

}  // namespace locklab
