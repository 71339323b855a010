// A play of a scenario on driver processes for `scenario --json`, and for a suite's files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/play/driver_plays.h"
#include "harness/record/row_io.h"

namespace locklab {

struct DriverPlayRow {
    std::string scenario;
    std::string algorithm;  ///< "lib:redis-py"
    std::string like;
    std::string result;  ///< as_expected, differs, not_played, no_verdict
    std::string expected;
    std::string observed;
    std::string words;  ///< the result in one line
    Verdict verdict = Verdict::unknown;
    std::uint64_t proved_overlaps = 0;
    std::vector<std::string> passed_over;
    std::string library_error;  ///< or empty
    std::string replay;
};

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

DriverPlayRow driver_play_row(const DriverPlay& play);

nlohmann::ordered_json to_json(const DriverPlayRow& row);
void read_row(const nlohmann::ordered_json& json, DriverPlayRow& row);

}  // namespace locklab
