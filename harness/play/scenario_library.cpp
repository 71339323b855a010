#include "harness/play/scenario_library.h"

#include <algorithm>

#include "harness/core/limits.h"
#include "harness/core/nearest.h"
#include "harness/core/usage_error.h"
#include "harness/play/named_algorithm.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/record/scenario_trace.h"
#include "harness/record/typed.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

fs::path library_folder() { return fs::path(home_folder()) / "scenarios"; }

std::string text_of(const fs::path& file) {
    try {
        return read_text(file, kMostYaml, "a scenario");
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
}

Scenario read_file(const fs::path& file) {
    return read_scenario(text_of(file), file.string(), algorithm_names());
}

}  // namespace

std::vector<Scenario> scenarios_named(const std::string& name) {
    if (name == "all") return read_scenarios(library_folder(), algorithm_names());
    if (name.ends_with(".yaml")) return {read_file(name)};
    const fs::path file = library_folder() / (name + ".yaml");
    std::error_code error;
    const bool plain = name.find('/') == std::string::npos;
    if (plain && fs::is_regular_file(file, error)) return {read_file(file)};
    std::vector<std::string> known;
    for (const auto& entry : fs::directory_iterator(library_folder(), error)) {
        if (entry.path().extension() == ".yaml") known.push_back(entry.path().stem().string());
    }
    if (known.empty()) {
        throw UsageError("there are no scenarios in '" + library_folder().string() +
                         "'; right would be to call ./locklab, or to name a .yaml file");
    }
    std::sort(known.begin(), known.end());
    const std::vector<std::string_view> words(known.begin(), known.end());
    throw UsageError(unknown_word("scenario", name, words));
}

std::string operand_of(const Scenario& scenario) {
    const fs::path file(scenario.file);
    return file.parent_path() == library_folder() ? scenario.name : typed(file);
}

std::vector<std::string> leave_out_sim_only(std::vector<Scenario>& scenarios, bool own_server,
                                            bool all) {
    const auto reason = [&](const Scenario& scenario) -> std::string {
        if (!scenario.sim_only.empty()) return scenario.sim_only;
        if (needs_own_servers(scenario) && !own_server) {
            return "it restarts or empties a server, or needs several, and --redis is not ours";
        }
        return "";
    };
    if (!all && !reason(scenarios[0]).empty()) {
        throw UsageError("scenario '" + scenarios[0].name +
                         "' is for --world sim: " + reason(scenarios[0]));
    }
    std::vector<std::string> left_out;
    std::erase_if(scenarios, [&](const Scenario& scenario) {
        const std::string why = reason(scenario);
        if (!why.empty()) left_out.push_back(scenario.name + " is left out: " + why);
        return !why.empty();
    });
    return left_out;
}

void write_traces(std::vector<PlayedScenario>& plays, const fs::path& folder) {
    for (PlayedScenario& played : plays) {
        if (!played.done) continue;
        const Scenario& scenario = *played.scenario;
        const std::string algorithm(played.algorithm->name);
        const fs::path file = folder / (scenario.name + "." + algorithm + ".json");
        write_file(file, to_json(ScenarioTrace{scenario.name, algorithm, scenario.text}));
        played.trace = file.string();
    }
}

}  // namespace locklab
