// The results of a foreign library in a suite: its scenarios, and its searches in virtual time.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/judge.h"
#include "harness/core/hazard.h"
#include "harness/foreign/library_defect.h"
#include "harness/suite/driver_play_row.h"
#include "harness/suite/table_cell.h"

namespace locklab {

/// A search under one fault. `violated`: an overlap was proved; otherwise `unknown`, however many
/// plays it made.
struct LibrarySearchRow {
    Hazard hazard = kNoFault;
    Verdict verdict = Verdict::unknown;
    std::uint64_t plays = 0;  ///< including the counterexample
    std::uint64_t grants = 0;
    std::uint64_t plays_cut_short = 0;
    bool came_again = false;    ///< the counterexample, when it was played again
    std::string library_error;  ///< the library's first error; or empty
    std::string trouble;        ///< why the search did not finish; or empty
    std::string replay;
};

struct LibraryRow {
    std::string name;  ///< of its folder: "redis-py"
    std::string library;
    std::string version;
    std::string language;
    std::string like;
    /// Of its manifest. Runs of before have neither.
    std::optional<std::string> documentation;
    std::optional<std::string> defaults;
    std::vector<DriverPlayRow> scenarios;
    std::vector<LibrarySearchRow> searches;
    /// Its cells of the library table. Older runs have none.
    std::optional<std::vector<TableCell>> cells;
    /// Shown by scripts of their own, of the first row of a folder. Runs of before have none.
    std::optional<std::vector<LibraryDefect>> defects;
    std::string not_searched;  ///< why there are no searches; or empty
    std::string trouble;       ///< why its scenarios were not played; or empty
    /// Why no driver of it can run, so that it has no cells, searches and scenarios.
    std::optional<std::string> cannot_run;
};

nlohmann::ordered_json to_json(const LibraryRow& row);
void read_row(const nlohmann::ordered_json& json, LibraryRow& row);

/// A row with its scenarios, kept until the whole part is done. `made_by`: see TableCell.
struct PlayedLibrary {
    std::string made_by;
    LibraryRow row;
};

nlohmann::ordered_json to_json(const PlayedLibrary& played);
void read_row(const nlohmann::ordered_json& json, PlayedLibrary& played);

}  // namespace locklab
