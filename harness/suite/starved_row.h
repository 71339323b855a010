// The result of `explore --starvation --json`.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/play/starved.h"
#include "harness/record/row_io.h"

namespace locklab {

struct LassoRow {
    std::string victim;
    std::uint64_t before = 0;  ///< steps of the stem in which each client has a round alone
    std::vector<std::string> stem;
    std::vector<std::string> cycle;
    bool takes_time = false;
    std::uint64_t laps_seen = 0;
    std::string witness;  ///< its file
    std::string replay;
};

struct StarvedRow {
    std::string algorithm;
    bool fair = false;  ///< according to the registry
    std::uint32_t clients = 0;
    std::string faults;
    Verdict verdict = Verdict::unknown;
    std::string answer;
    std::string why_unknown;
    bool exhausted = false;
    std::uint64_t states = 0;
    std::uint64_t steps = 0;
    std::uint64_t steps_granted = 0;
    std::uint64_t steps_refused = 0;
    std::uint64_t steps_checked = 0;
    std::uint32_t tries_told_apart = 0;
    double seconds = 0;
    std::optional<LassoRow> lasso;
};

StarvedRow starved_row(const Starved& starved);

nlohmann::ordered_json to_json(const StarvedRow& row);

}  // namespace locklab
