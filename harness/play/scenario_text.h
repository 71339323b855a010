// Texts on plays: the whole story, one line, a matrix, and the table of a README.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/play/scenario_plays.h"
#include "harness/view/timeline.h"

namespace locklab {

/// The play as a picture. A play that shows nothing is headed "no verdict", whatever was seen of
/// it.
Timeline picture_of(const PlayedScenario& played);

/// The play as a time-line; then expected, observed, why and fix.
std::string story_text(const PlayedScenario& played);

/// What was seen: "A and B inside together; ...".
std::string observed_words(const PlayedScenario& played);

/// A play's result in one word, the first that fits: no_verdict, violated, stuck, foreign_key
/// (another's key was deleted or extended), waits (stuck until the TTL), kept_out or harmless.
std::string_view sum_of(const PlayedScenario& played);

/// One line: as expected or not, the lock, what happened.
std::string play_line(const PlayedScenario& played);

/// In full the race, and the lock that fixes it; the others in one line each.
std::string stories_text(const std::vector<PlayedScenario>& plays);

/// One line for each scenario, details of each unexpected play, and a matrix of scenarios and
/// locks.
std::string overview_text(const std::vector<PlayedScenario>& plays);

/// A Markdown table of the scenarios: source, what each hits, outcome, fix.
std::string scenario_table(const std::vector<PlayedScenario>& plays);

}  // namespace locklab
