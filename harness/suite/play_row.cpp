#include "harness/suite/play_row.h"

#include "harness/check/outcome.h"
#include "harness/play/scenario_text.h"
#include "harness/record/row_io.h"

namespace locklab {

template <class Io, RowOf<PlayRow> Row>
void fields(Io& io, Row& row) {
    io("scenario", row.scenario);
    io("algorithm", row.algorithm);
    io("world", row.world);
    io("expected", row.expected);
    io("observed", row.observed);
    io("ok", row.ok);
    io.or_null("trace", row.trace);
    io("verdict", row.verdict);
    io("agrees_with_sim", row.agrees_with_sim);
    io("passed_over", row.passed_over);
    io.if_any("why", row.why);
    io.if_any("fix", row.fix);
    io("replay", row.replay);
}

PlayRow play_row(const PlayedScenario& played) {
    const Expectation* expected = played.expected;
    PlayRow row;
    row.scenario = played.scenario->name;
    row.algorithm = played.algorithm->name;
    row.world = played.world;
    row.observed = observed_words(played);
    row.ok = played.ok();
    row.trace = played.trace;
    row.verdict = played.play.judgement.verdict;
    if (played.done) row.agrees_with_sim = played.agrees();
    row.passed_over = played.play.passed_over;
    if (expected != nullptr) {
        row.expected = in_words(expected->outcome, played.scenario->names());
        row.why = expected->why;
        if (!expected->fix.empty()) row.fix = expected->fix;
    }
    row.replay = played.replay();
    return row;
}

nlohmann::ordered_json to_json(const PlayRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, PlayRow& row) { read_fields(json, row); }

}  // namespace locklab
