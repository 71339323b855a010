#include "harness/suite/starved_row.h"

#include "harness/core/fault_text.h"
#include "harness/explore/step_text.h"
#include "harness/record/check_fields.h"

namespace locklab {

template <class Io, RowOf<LassoRow> Row>
void fields(Io& io, Row& row) {
    io("victim", row.victim);
    io("before", row.before);
    io("stem", row.stem);
    io("cycle", row.cycle);
    io("takes_time", row.takes_time);
    io("laps_seen", row.laps_seen);
    io("witness", row.witness);
    io("replay", row.replay);
}

template <class Io, RowOf<StarvedRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("fair", row.fair);
    io("clients", row.clients);
    io("faults", row.faults);
    io("verdict", row.verdict);
    io("answer", row.answer);
    io.or_null("why_unknown", row.why_unknown);
    io("exhausted", row.exhausted);
    io("states", row.states);
    io("steps", row.steps);
    io("steps_granted", row.steps_granted);
    io("steps_refused", row.steps_refused);
    io("steps_checked", row.steps_checked);
    io("tries_told_apart", row.tries_told_apart);
    io("seconds", row.seconds);
    io.if_any("lasso", row.lasso);
}

namespace {

std::vector<std::string> texts_of(const std::vector<Step>& steps) {
    std::vector<std::string> texts;
    for (const Step& step : steps) texts.push_back(to_string(step));
    return texts;
}

}  // namespace

StarvedRow starved_row(const Starved& starved) {
    const Starvation& found = starved.found;
    StarvedRow row;
    row.algorithm = found.algorithm->name;
    row.fair = found.algorithm->fair;
    row.clients = found.bounds.clients;
    row.faults = to_string(found.bounds.faults);
    row.verdict = found.verdict;
    row.answer = starved_word(found.verdict);
    row.why_unknown = found.why_unknown;
    row.exhausted = found.exhausted;
    row.states = found.states;
    row.steps = found.steps;
    row.steps_granted = found.granted;
    row.steps_refused = found.refused;
    row.steps_checked = found.checked;
    row.tries_told_apart = found.tries;
    row.seconds = starved.seconds;
    if (!found.lasso) return row;
    const Lasso& lasso = *found.lasso;
    row.lasso.emplace();
    row.lasso->victim = std::string(1, static_cast<char>('A' + lasso.victim));
    row.lasso->before = lasso.before;
    row.lasso->stem = texts_of(lasso.stem);
    row.lasso->cycle = texts_of(lasso.cycle);
    row.lasso->takes_time = lasso.takes_time;
    row.lasso->laps_seen = starved.laps;
    row.lasso->witness = starved.trace;
    row.lasso->replay = starved.replay;
    return row;
}

nlohmann::ordered_json to_json(const StarvedRow& row) { return written_row(row); }

}  // namespace locklab
