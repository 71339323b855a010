#include "harness/suite/driver_play_row.h"

#include "harness/check/outcome.h"
#include "harness/play/driver_play_text.h"
#include "harness/record/row_io.h"

namespace locklab {

template <class Io, RowOf<DriverPlayRow> Row>
void fields(Io& io, Row& row) {
    io("scenario", row.scenario);
    io("algorithm", row.algorithm);
    io("like", row.like);
    io("result", row.result);
    io("expected", row.expected);
    io("observed", row.observed);
    io("words", row.words);
    io("verdict", row.verdict);
    io("proved_overlaps", row.proved_overlaps);
    io("passed_over", row.passed_over);
    io.or_null("library_error", row.library_error);
    io("replay", row.replay);
}

DriverPlayRow driver_play_row(const DriverPlay& play) {
    DriverPlayRow row;
    const bool played = play.end == DriverPlay::End::played;
    row.scenario = play.scenario->name;
    row.algorithm = play.subject->operand();
    row.like = play.like->name;
    row.result = verdict_word(play);
    if (played) row.expected = in_words(play.expected, play.scenario->names());
    if (played) row.observed = in_words(play.play.observed, play.scenario->names());
    row.words = verdict_words(play);
    if (played) row.verdict = play.play.judgement.verdict;
    row.proved_overlaps = play.proved_overlaps;
    row.passed_over = play.play.passed_over;
    row.library_error = play.library_error;
    row.replay = replay_of(play);
    return row;
}

nlohmann::ordered_json to_json(const DriverPlayRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, DriverPlayRow& row) { read_fields(json, row); }

}  // namespace locklab
