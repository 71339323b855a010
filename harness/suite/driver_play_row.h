// What is told of a play of a scenario on driver processes: by `scenario --json`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/play/driver_plays.h"

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

DriverPlayRow driver_play_row(const DriverPlay& play);

nlohmann::ordered_json to_json(const DriverPlayRow& row);
void read_row(const nlohmann::ordered_json& json, DriverPlayRow& row);

}  // namespace locklab
