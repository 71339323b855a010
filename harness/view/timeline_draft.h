// A timeline while it is made: every event has a row of its own, and knows with which neighbour
// it may become one.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/view/timeline.h"

namespace locklab {

struct TimelineDraft {
    enum class Role : std::uint8_t { none, leaving, granted, refused, released, read };
    TimelineRow row;
    Role role = Role::none;
    std::size_t told = 0;  ///< how many events had been told when it was written, with its own
    std::vector<TimelineRow> marks;  ///< rows that are to follow this one
};

/// Sent, executed and answered with nothing in between is one row, with what its client did just
/// before and just after, unless it took `longest`. Where at least `gap` passes, a row says so.
std::vector<TimelineRow> join_rows(std::vector<TimelineDraft> drafts, Duration gap,
                                   Duration longest);

}  // namespace locklab
