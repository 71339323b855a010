// A play of a scenario for `scenario --json`, and for a suite's files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/play/scenario_plays.h"

namespace locklab {

struct PlayRow {
    std::string scenario;
    std::string algorithm;
    WorldKind world = WorldKind::sim;
    std::optional<std::string> expected;
    std::string observed;
    bool ok = false;
    std::string trace;  ///< its file; or empty
    Verdict verdict = Verdict::unknown;
    std::optional<bool> agrees_with_sim;
    std::vector<std::string> passed_over;
    std::optional<std::string> why;
    std::optional<std::string> fix;
    std::string replay;
};

PlayRow play_row(const PlayedScenario& played);

nlohmann::ordered_json to_json(const PlayRow& row);
void read_row(const nlohmann::ordered_json& json, PlayRow& row);

}  // namespace locklab
