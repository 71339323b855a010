#include "harness/suite/races.h"

#include "harness/check/outcome.h"
#include "harness/play/scenario_text.h"

namespace locklab {

namespace {

RaceRow race_row(const PlayedScenario& shown, const std::vector<PlayedScenario>& plays) {
    const Scenario& scenario = *shown.scenario;
    RaceRow row;
    row.name = scenario.name;
    row.title = scenario.title;
    row.source = scenario.source;
    row.says = scenario.says;
    row.means = scenario.means;
    row.verdict_on_source = scenario.verdict_on_source;
    row.sim_only = scenario.sim_only;
    row.algorithm = shown.algorithm->name;
    row.sum = sum_of(shown);
    row.observed = observed_words(shown);
    if (shown.expected != nullptr) {
        row.why = shown.expected->why;
        row.fix = shown.expected->fix;
    }
    row.replay = shown.replay();
    row.scene = scene_row(shown.play.scene);
    for (const PlayedScenario& played : plays) {
        if (played.scenario != &scenario || !played.done) continue;
        row.outcomes.push_back({std::string(played.algorithm->name), played.world,
                                std::string(sum_of(played)), observed_words(played), played.ok(),
                                played.replay()});
    }
    return row;
}

}  // namespace

std::vector<RaceRow> races_of(const std::vector<PlayedScenario>& plays) {
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
    std::vector<RaceRow> races;
    for (const PlayedScenario* played : shown) races.push_back(race_row(*played, plays));
    return races;
}

}  // namespace locklab
