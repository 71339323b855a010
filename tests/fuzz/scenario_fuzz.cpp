// Any bytes as a scenario, or as the trace of a play: refused with one sentence, or played in sim
// with the first lock that it names.

#include <cstdint>

#include "algorithms/registry.h"
#include "harness/core/assert.h"
#include "harness/core/limits.h"
#include "harness/record/json_line.h"
#include "harness/record/scenario_trace.h"
#include "harness/stage/play.h"
#include "harness/stage/scenario_reader.h"

using namespace locklab;

namespace {

std::vector<std::string_view> names() {
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : every_algorithm()) names.push_back(algorithm->name);
    return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::string_view> known = names();
    std::string text(reinterpret_cast<const char*>(data), size);
    try {
        if (is_scenario_trace(text)) text = read_scenario_trace(text, "input").yaml;
        const Scenario scenario = read_scenario(text, "input", known);
        const Algorithm* algorithm = algorithm_named(scenario.expectations.front().algorithm);
        static_cast<void>(play_in_sim(scenario, *algorithm));
    } catch (const FormatError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    } catch (const ScenarioError& error) {
        LOCKLAB_ASSERT(std::string_view(error.what()).starts_with("input:"));
    } catch (const BoundHit&) {
        // One that would never end.
    }
    return 0;
}
