#include "harness/cli/scene_report.h"

#include <nlohmann/json.hpp>

#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_steps.h"
#include "harness/view/timeline_svg.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

Json steps_json(const Timeline& timeline) {
    Json rows = Json::array();
    for (const TimelineStep& step : steps_of(timeline)) {
        Json marks = Json::array();
        for (const TimelineStep::Mark& mark : step.marks) {
            marks.push_back({{"words", mark.words}, {"cause", mark.cause}});
        }
        rows.push_back({{"kind", name_of(step.kind)},
                        {"time", step.time},
                        {"words", step.words},
                        {"key", step.key},
                        {"key_changed", step.key_changed},
                        {"inside", step.inside},
                        {"marks", std::move(marks)}});
    }
    return rows;
}

}  // namespace

Json scene_json(const Scene& scene) {
    const Timeline timeline = make_timeline(scene);
    Json json;
    json["steps"] = steps_json(timeline);
    json["svg"] = to_svg(timeline);
    json["mermaid"] = to_mermaid(timeline);
    return json;
}

}  // namespace locklab
