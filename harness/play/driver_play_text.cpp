#include "harness/play/driver_play_text.h"

#include <algorithm>
#include <map>

#include "harness/check/outcome.h"
#include "harness/core/duration_text.h"
#include "harness/play/scenario_library.h"
#include "harness/record/typed.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

std::string in_column(std::string_view text, std::size_t width) {
    std::string column(text);
    column.resize(std::max(width, column.size() + 1), ' ');
    return column;
}

std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    return text;
}

}  // namespace

std::string_view verdict_word(const DriverPlay& play) {
    switch (play.end) {
        case DriverPlay::End::not_played: return "not_played";
        case DriverPlay::End::not_done:
        case DriverPlay::End::disturbed: return "no_verdict";
        case DriverPlay::End::played: break;
    }
    return play.is_as_expected() ? "as_expected" : "differs";
}

std::string verdict_words(const DriverPlay& play) {
    switch (play.end) {
        case DriverPlay::End::not_done: return "no verdict: interrupted";
        case DriverPlay::End::disturbed: return "no verdict: " + play.why;
        case DriverPlay::End::not_played: return "not played: " + play.why;
        case DriverPlay::End::played: break;
    }
    std::string text = in_words(play.play.observed, play.scenario->names());
    if (play.is_as_expected()) {
        text = "as expected: " + text;
    } else {
        text = "differs from " + std::string(play.like->name) + ": " + listed(play.differences);
    }
    if (!play.not_shown.empty()) text += " (not proved: " + listed(play.not_shown) + ")";
    return text;
}

std::string replay_of(const DriverPlay& play) {
    return typed_program() + " scenario " + operand_of(*play.scenario) + " --algorithm " +
           play.subject->operand() + " --world live" +
           (play.ttl == kScenarioTtl || play.ttl == Duration(0) ? ""
                                                                : " --ttl " + to_string(play.ttl));
}

std::string driver_story_text(const DriverPlay& play) {
    const Scenario& scenario = *play.scenario;
    std::string text = scenario.name + ", " + play.subject->operand() + ", like " +
                       std::string(play.like->name) + ", live\n" + scenario.title + "\n";
    text += "  " + scenario.source + (scenario.says.empty() ? "" : ": " + scenario.says) + "\n";
    if (!scenario.means.empty()) text += "  " + scenario.means + "\n";
    if (!play.play.scene.history.events.empty()) {
        Timeline picture = make_timeline(play.play.scene);
        if (play.end != DriverPlay::End::played) picture.verdict = kNoVerdict;
        text += "\n" + to_text(picture) + "\n";
        text += "expected  " + in_words(play.expected, scenario.names()) + "\n";
        text += "observed  " + in_words(play.play.observed, scenario.names()) + "\n";
    }
    text += "verdict   " + verdict_words(play) + "\n";
    for (const std::string& line : play.play.passed_over) {
        if (line != play.why) text += "          " + line + "\n";
    }
    if (!play.library_error.empty()) text += "error     " + play.library_error + "\n";
    // "why" and "fix" explain what our lock does.
    if (!play.is_as_expected()) return text;
    const Expectation* expected = expectation_of(scenario, play.like->name);
    if (expected != nullptr) text += "why       " + expected->why + "\n";
    if (expected != nullptr && !expected->fix.empty()) text += "fix       " + expected->fix + "\n";
    return text;
}

std::string driver_overview_text(const std::vector<DriverPlay>& plays) {
    std::string text;
    std::map<std::string_view, std::size_t> counts;
    std::size_t width = 0;
    for (const DriverPlay& play : plays) width = std::max(width, play.scenario->name.size() + 2);
    for (const DriverPlay& play : plays) {
        ++counts[verdict_word(play)];
        text += in_column(play.scenario->name, width) + verdict_words(play) + "\n";
    }
    if (plays.empty()) return text;
    const auto count = [&](std::string_view word) { return std::to_string(counts[word]); };
    return text + "\n" + plays.front().subject->operand() + ", like " +
           std::string(plays.front().like->name) + ": " + count("as_expected") + " as expected, " +
           count("differs") + " differ, " + count("not_played") + " not played, " +
           count("no_verdict") + " without a verdict\n";
}

}  // namespace locklab
