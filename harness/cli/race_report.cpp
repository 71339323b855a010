#include "harness/cli/race_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "algorithms/registry.h"
#include "harness/cli/scenario_report.h"
#include "harness/cli/scene_report.h"
#include "harness/stage/outcome.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

Json outcomes_json(const std::vector<PlayedScenario>& plays, const Scenario& scenario) {
    Json rows = Json::array();
    for (const PlayedScenario& played : plays) {
        if (played.scenario != &scenario || !played.done) continue;
        rows.push_back({{"algorithm", played.algorithm->name},
                        {"world", name_of(played.world)},
                        {"sum", sum_of(played)},
                        {"observed", observed_words(played)},
                        {"ok", played.ok()},
                        {"replay", played.replay()}});
    }
    return rows;
}

Json race_json(const PlayedScenario& shown, const std::vector<PlayedScenario>& plays) {
    const Scenario& scenario = *shown.scenario;
    const Expectation* expected = shown.expected;
    Json json;
    json["name"] = scenario.name;
    json["title"] = scenario.title;
    json["source"] = scenario.source;
    json["says"] = scenario.says;
    json["means"] = scenario.means;
    json["verdict_on_source"] = scenario.verdict_on_source;
    json["sim_only"] = scenario.sim_only;
    json["algorithm"] = shown.algorithm->name;
    json["sum"] = sum_of(shown);
    json["observed"] = observed_words(shown);
    json["why"] = expected == nullptr ? "" : expected->why;
    json["fix"] = expected == nullptr ? "" : expected->fix;
    json["replay"] = shown.replay();
    json.update(scene_json(shown.play.scene));
    json["outcomes"] = outcomes_json(plays, scenario);
    return json;
}

}  // namespace

Json races_json(const std::vector<PlayedScenario>& plays) {
    std::vector<const PlayedScenario*> shown;
    for (const PlayedScenario& played : plays) {
        if (!played.done || played.world != WorldKind::sim) continue;
        const bool fresh = shown.empty() || shown.back()->scenario != played.scenario;
        if (fresh) {
            shown.push_back(&played);
        } else if (is_harmless(shown.back()->play.observed)) {
            if (!is_harmless(played.play.observed)) shown.back() = &played;
        }
    }
    Json races = Json::array();
    for (const PlayedScenario* played : shown) races.push_back(race_json(*played, plays));
    return {{"races", std::move(races)}};
}

}  // namespace locklab
