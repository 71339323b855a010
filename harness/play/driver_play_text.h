// Texts on plays on driver processes: the whole story of one, or a line for each.
#pragma once

#include <string>
#include <vector>

#include "harness/play/driver_plays.h"

namespace locklab {

/// "as_expected", "differs", "not_played", or "no_verdict".
std::string_view verdict_word(const DriverPlay& play);
/// What was seen and what it means, in one line: "differs from set_nx_lua: not seen: ...".
std::string verdict_words(const DriverPlay& play);
/// The command that repeats the play.
std::string replay_of(const DriverPlay& play);

/// The play as a time-line, and its result.
std::string driver_story_text(const DriverPlay& play);
/// A line for each scenario, and the number of plays with each result.
std::string driver_overview_text(const std::vector<DriverPlay>& plays);

}  // namespace locklab
