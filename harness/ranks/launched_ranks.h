// Ranks that a launcher of MPI, such as mpirun, started.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "harness/explore/ranks.h"

namespace locklab {

class LaunchedRanks : public Ranks {
public:
    using Ranks::Ranks;
    /// Called by all, at last: waits until all have come so far. Without it the launcher takes the
    /// end of one for a failure, and ends them all.
    virtual void finish() = 0;
};

/// What the launcher says before MPI is asked.
struct Launched {
    std::uint32_t rank = 0;
    std::uint32_t count = 1;
};

/// Nothing if this process was started by itself, or as the only rank. Open MPI and MPICH say it.
std::optional<Launched> launched();

/// Waits until all ranks have called it. Throws UsageError if the program was built without MPI,
/// and std::runtime_error if MPI cannot be loaded. `asked` must outlive the ranks.
std::unique_ptr<LaunchedRanks> open_ranks(const std::atomic<bool>& asked);

}  // namespace locklab
