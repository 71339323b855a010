#include "harness/suite/driver_play_row.h"

#include "harness/check/outcome.h"
#include "harness/play/driver_play_text.h"

namespace locklab {

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
