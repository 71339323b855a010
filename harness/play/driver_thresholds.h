// The least sets of faults under which an overlap of driver processes is proved, each set by a
// search of its own in virtual time. Plays prove no more than what they find: a set under which
// nothing was seen has the bound of its plays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/foreign/virtual_search.h"

namespace locklab {

/// One set of faults, and what came of its plays.
struct SearchedSet {
    PlaySpec spec;
    VirtualSearchResult result;
    std::string why_unknown;  ///< as a clause; empty: its plays show something
};

struct DriverThresholds {
    std::vector<SearchedSet> broken;    ///< of which no part breaks it
    std::vector<SearchedSet> not_seen;  ///< no overlap was seen
    std::vector<SearchedSet> unknown;
    bool complete = false;  ///< false: interrupted
};

/// Every set of at most `most_faults` faults that plays can make and that can strike the subject,
/// the smaller ones first; none that has a broken one as its part. `spec` without faults.
DriverThresholds find_driver_thresholds(const Subject& subject, const PlaySpec& spec,
                                        const VirtualSearchLimits& limits,
                                        std::uint32_t most_faults, const Watcher& watcher);

}  // namespace locklab
