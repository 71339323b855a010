// A trace of a play: the scenario's own text and the lock, which are enough to replay it.
#pragma once

#include <string>
#include <string_view>

namespace locklab {

struct ScenarioTrace {
    std::string scenario;  ///< its name
    std::string algorithm;
    std::string yaml;
};

/// One line of JSON: a "locklab-trace" like the others, with "kind": "scenario".
std::string to_json(const ScenarioTrace& trace);

/// Whether the text is a trace of a scenario.
bool is_scenario_trace(std::string_view text);

/// Throws FormatError with one sentence.
ScenarioTrace read_scenario_trace(std::string_view text, std::string_view name);

}  // namespace locklab
