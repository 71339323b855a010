// A timeline as steps to go through one at a time: what happens, and what goes wrong through it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/view/timeline.h"

namespace locklab {

/// A row of the timeline, with the violations that follow from it.
struct TimelineStep {
    struct Mark {
        std::string words;  ///< "A deletes the key of B"
        std::string cause;  ///< may be empty
    };
    TimelineRow::Kind kind = TimelineRow::Kind::note;
    std::string time;   ///< "10.250", in seconds; empty if a timeline shows none
    std::string words;  ///< as in the timeline's text
    std::string key;    ///< "1 of A, 5 s left"; empty if nothing is known of the key
    bool key_changed = false;
    std::vector<std::string> inside;  ///< the clients that are inside after it
    std::vector<Mark> marks;
};

/// In the order of the rows.
std::vector<TimelineStep> steps_of(const Timeline& timeline);

/// For each row the number of its step, from 1. A violation belongs to the previous step.
std::vector<std::size_t> step_numbers(const Timeline& timeline);

/// "command", "expired", ...
std::string_view name_of(TimelineRow::Kind kind);

}  // namespace locklab
