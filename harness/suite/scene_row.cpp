#include "harness/suite/scene_row.h"

#include "harness/record/row_io.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_mermaid.h"
#include "harness/view/timeline_steps.h"
#include "harness/view/timeline_svg.h"

namespace locklab {

template <class Io, RowOf<MarkRow> Row>
void fields(Io& io, Row& row) {
    io("words", row.words);
    io("cause", row.cause);
}

template <class Io, RowOf<StepRow> Row>
void fields(Io& io, Row& row) {
    io("kind", row.kind);
    io("time", row.time);
    io("words", row.words);
    io("key", row.key);
    io("key_changed", row.key_changed);
    io("inside", row.inside);
    io("marks", row.marks);
}

template <class Io, RowOf<SceneRow> Row>
void fields(Io& io, Row& row) {
    io("steps", row.steps);
    io("svg", row.svg);
    io("mermaid", row.mermaid);
}

template <class Io, RowOf<WitnessRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("hazard", row.hazard);
    io("verdict", row.verdict);
    io("length", row.length);
    io("clients", row.clients);
    io("cause", row.cause);
    io("replay", row.replay);
    fields(io, row.scene);
}

template <class Io, RowOf<RaceOutcomeRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("world", row.world);
    io("sum", row.sum);
    io("observed", row.observed);
    io("ok", row.ok);
    io("replay", row.replay);
}

template <class Io, RowOf<RaceRow> Row>
void fields(Io& io, Row& row) {
    io("name", row.name);
    io("title", row.title);
    io("source", row.source);
    io("says", row.says);
    io("means", row.means);
    io("verdict_on_source", row.verdict_on_source);
    io("sim_only", row.sim_only);
    io("algorithm", row.algorithm);
    io("sum", row.sum);
    io("observed", row.observed);
    io("why", row.why);
    io("fix", row.fix);
    io("replay", row.replay);
    fields(io, row.scene);
    io("outcomes", row.outcomes);
}

SceneRow scene_row(const Scene& scene) {
    const Timeline timeline = make_timeline(scene);
    SceneRow row;
    for (const TimelineStep& step : steps_of(timeline)) {
        StepRow& its = row.steps.emplace_back();
        its = {std::string(name_of(step.kind)),
               step.time,
               step.words,
               step.key,
               step.key_changed,
               step.inside,
               {}};
        for (const TimelineStep::Mark& mark : step.marks) {
            its.marks.push_back({mark.words, mark.cause});
        }
    }
    row.svg = to_svg(timeline);
    row.mermaid = to_mermaid(timeline);
    return row;
}

nlohmann::ordered_json to_json(const WitnessRow& row) { return written_row(row); }
nlohmann::ordered_json to_json(const RaceRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, WitnessRow& row) { read_fields(json, row); }
void read_row(const nlohmann::ordered_json& json, RaceRow& row) { read_fields(json, row); }

}  // namespace locklab
