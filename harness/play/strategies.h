// The ways to search one lock within bounds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/watcher.h"
#include "harness/explore/random_search.h"
#include "harness/play/explored.h"

namespace locklab {

/// Every state of each search, for one set of faults after the other: a shortest witness, or a
/// proof, which goes deeper by itself if `deepening` says so.
Explored explore_exhaustively(const Algorithm& algorithm, const std::vector<Bounds>& searches,
                              const std::vector<FaultBudget>& faults, const SearchLimits& limits,
                              const Watcher& watcher, const Deepening& deepening = {});

/// Random schedules. A witness is shrunk; if every state can be visited within a second or so, it
/// is proved shortest, or replaced by a shortest one.
Explored explore_randomly(const Algorithm& algorithm, const Bounds& bounds,
                          const RandomLimits& limits, const Watcher& watcher);

/// The schedules of a search, walked and not yet looked at.
struct WalkedSchedules {
    RandomResult result;
    std::string why_unknown;  ///< why they show nothing, as half a sentence; or empty
};
WalkedSchedules walk_schedules(const Algorithm& algorithm, const Bounds& bounds,
                               const RandomLimits& limits, const Watcher& watcher);
/// The same as explore_randomly() with schedules that were walked before.
Explored explored_by_walks(const Algorithm& algorithm, const Bounds& bounds,
                           const RandomLimits& limits, const WalkedSchedules& walked,
                           const Watcher& watcher);

/// Every schedule, one after the other, without states: slow; it checks the other strategies.
Explored explore_plainly(const Algorithm& algorithm, const Bounds& bounds, std::uint64_t budget,
                         const Watcher& watcher);

/// Its name for `--strategy`.
std::string_view name_of(Strategy strategy);

}  // namespace locklab
