// Every state within the bounds with all that it leads to: what can be counted exactly, and how
// likely it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/path.h"

namespace locklab {

/// Of a walk that makes each step that is offered, a fault too, with the same probability, and
/// begins at each start with the same.
struct Odds {
    bool complete = false;  ///< false: the graph was not finished, and nothing else is known
    std::string why_not;
    /// That more clients are inside at once than may be.
    double violation = 0;
    /// Different schedules, each to its end or to a violation; exact below 2^53.
    double schedules = 0;
    double violated_schedules = 0;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;  ///< from one state to another
    /// The same as `violation` where a path has come to: before its first step, after it, and so
    /// on.
    std::vector<double> along;
    /// From so many steps of the path on, every continuation is violated; -1: there is no such.
    std::int64_t inevitable_after = -1;
};

/// `memory`: bytes, for states and steps. `path`: may be empty.
Odds odds_of(const Algorithm& algorithm, const Bounds& bounds, const Path& path,
             std::uint64_t memory, const std::atomic<bool>& stop);

}  // namespace locklab
