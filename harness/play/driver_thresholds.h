// The least sets of faults under which an overlap of driver processes is proved, each set by a
// search of its own in virtual time. Plays prove only what they find: for a set without an overlap,
// the result is the bound of its plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/foreign/virtual_search.h"

namespace locklab {

/// One set of faults, and the result of its plays.
struct SearchedSet {
    PlaySpec spec;
    VirtualSearchResult result;
    std::string why_unknown;  ///< as a clause; empty: its plays show something
};

struct DriverThresholds {
    std::vector<SearchedSet> broken;    ///< sets of which no subset breaks it
    std::vector<SearchedSet> not_seen;  ///< sets without an overlap
    std::vector<SearchedSet> unknown;
    bool complete = false;  ///< false: interrupted
};

/// Searches every set of at most `most_faults` faults that plays can make and that can strike the
/// subject, smaller sets first, but no superset of a broken one. `spec` has no faults.
DriverThresholds find_driver_thresholds(const Subject& subject, const PlaySpec& spec,
                                        const VirtualSearchLimits& limits,
                                        std::uint32_t most_faults, const Watcher& watcher);

}  // namespace locklab
