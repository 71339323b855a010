// The first oracle: two clients inside at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/check/inside.h"

namespace locklab {

/// A pair of grants that were inside at once. It begins with the grant of the later one.
struct Overlap {
    Inside earlier;
    Inside later;

    Instant from() const { return later.from; }
    Instant until() const { return std::min(earlier.until, later.until); }
    /// May be zero: by the log's order the two were inside at one and the same instant.
    Duration duration() const { return until() - from(); }
};

/// Every pair, in order of the later grant. A client never overlaps with itself. Where two events
/// have the same instant, the log's order decides if `in_order`; else (see HistoryHead::
/// orders_instants) two stays that only touch do not overlap: one may have ended first. A stay of
/// no length in the midst of another is inside it in any order.
std::vector<Overlap> overlaps(std::span<const Inside> stays, bool in_order = true);

/// How many grants took part in an overlap.
std::uint64_t grants_affected(std::span<const Overlap> overlaps);

}  // namespace locklab
