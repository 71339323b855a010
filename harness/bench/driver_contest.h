// Driver processes that compete for one lock for some time: each tries until it is granted, holds
// the lock, releases it, and wants it again. A library that can wait does so itself; others are
// asked again after a while.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/core/worker.h"
#include "harness/foreign/team.h"

namespace locklab {

struct ContestTerms {
    std::uint32_t clients = 2;
    Duration window{0};
    Duration hold{0};
    Duration think{0};
    /// True: the library waits itself, up to the window's length each time. False: it is asked
    /// again after `wait`.
    bool waits_itself = false;
    WaitPolicy wait{};
};

/// Figures of the grants before the window was over.
struct ContestFigures {
    double seconds = 0;         ///< length of the window
    std::vector<double> waits;  ///< microseconds, sorted; one cut off by the end counts as it stood
    std::vector<double> shares;    ///< grants of each client
    std::uint64_t all_grants = 0;  ///< including those that came after the window
    std::uint64_t errors = 0;      ///< answers that were errors
    std::string first_error;

    double grants() const;
};

/// Uses the team's first processes, which are open. At the end all of them have released the lock,
/// unless `stopped`. Throws DriverTrouble.
ContestFigures hold_contest(Team& team, const ContestTerms& terms,
                            const std::function<bool()>& stopped);

}  // namespace locklab
