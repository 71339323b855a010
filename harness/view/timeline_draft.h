// A timeline in the making: every event has its own row, which knows with which neighbour it may be
// joined.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/view/timeline.h"

namespace locklab {

struct TimelineDraft {
    enum class Role : std::uint8_t { none, leaving, granted, refused, released, read };
    TimelineRow row;
    Role role = Role::none;
    std::size_t told = 0;  ///< events processed when the row was written, including its own
    std::vector<TimelineRow> marks;  ///< rows that follow this one
};

/// Joins the sending, execution and reply of a command into one row if nothing comes in between,
/// with what its client did just before and after, unless that took `longest`. Adds a row where at
/// least `gap` passes.
std::vector<TimelineRow> join_rows(std::vector<TimelineDraft> drafts, Duration gap,
                                   Duration longest);

}  // namespace locklab
