#include "harness/record/scenario_trace.h"

#include <nlohmann/json.hpp>

#include "harness/record/json_line.h"

namespace locklab {

std::string to_json(const ScenarioTrace& trace) {
    nlohmann::ordered_json json;
    json["format"] = "locklab-trace";
    json["version"] = 1;
    json["kind"] = "scenario";
    json["scenario"] = trace.scenario;
    json["algorithm"] = trace.algorithm;
    json["yaml"] = trace.yaml;
    return json.dump() + "\n";
}

bool is_scenario_trace(std::string_view text) { return peek_text(text, "kind") == "scenario"; }

ScenarioTrace read_scenario_trace(std::string_view text, std::string_view name) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    JsonLine line(name, 1, text);
    if (line.text("format") != "locklab-trace") line.fail("format must be \"locklab-trace\"");
    if (line.whole("version") != 1) line.fail("version must be 1");
    ScenarioTrace trace;
    if (line.text("kind") != "scenario") line.fail("kind must be \"scenario\"");
    trace.scenario = line.text("scenario");
    trace.algorithm = line.text("algorithm");
    trace.yaml = line.text("yaml");
    line.done("trace of a scenario");
    return trace;
}

}  // namespace locklab
