// The first oracle: more clients inside at once than permitted. For a mutex that is two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "harness/check/inside.h"
#include "harness/core/limits.h"

namespace locklab {

/// A pair of grants that were inside at once, and may not be. It begins with the later grant. A
/// client that is one too many in a shared lock is paired with the one that has shared it longest.
struct Overlap {
    Inside earlier;
    Inside later;
    std::uint32_t sharing = 0;  ///< if both share the lock: how many are inside then; else 0

    Instant from() const { return later.from; }
    Instant until() const { return std::min(earlier.until, later.until); }
    /// May be zero: by the log's order both were inside at the same instant.
    Duration duration() const { return until() - from(); }
};

struct Overlaps {
    std::vector<Overlap> listed;  ///< the first ones, in order of the later grant
    std::uint64_t count = 0;      ///< of all overlaps
    std::uint64_t grants = 0;     ///< grants that took part in an overlap
    /// Every pair whose later grant stands before this place in the log is listed.
    std::size_t listed_before = std::numeric_limits<std::size_t>::max();
};

/// A client never overlaps with itself. If two events have the same instant, the log's order
/// decides if `in_order`; else (see HistoryHead::orders_instants) two stays that only touch do not
/// overlap, since one may have ended first. A stay of zero length within another overlaps with it
/// in any order. At most `most` are listed.
Overlaps find_overlaps(std::span<const Inside> stays, bool in_order,
                       std::size_t most = kMostOverlaps, Permits permits = 1);

/// Every pair, in order of the later grant.
std::vector<Overlap> overlaps(std::span<const Inside> stays, bool in_order = true,
                              Permits permits = 1);

}  // namespace locklab
