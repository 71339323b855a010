// A search in JSON: its bounds, and what it exercised.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/explore/bounds.h"
#include "harness/explore/coverage.h"
#include "harness/record/row_io.h"

namespace locklab {

struct SearchRow {
    std::uint32_t clients = 0;
    std::uint32_t rounds = 0;
    std::uint32_t attempts = 0;
    std::uint32_t leaves = 0;
    bool takes_again = false;
};

SearchRow search_row(const Bounds& bounds);

template <class Io, RowOf<SearchRow> Row>
void fields(Io& io, Row& row) {
    io("clients", row.clients);
    io("rounds", row.rounds);
    io("attempts", row.attempts);
    io("leaves", row.leaves);
    io("takes_again", row.takes_again);
}

struct SentRow {
    std::string command;  ///< its shape
    std::string phase;
    /// Its errors, if it had no other answers.
    std::optional<std::vector<std::string>> answered_only;
};

template <class Io, RowOf<SentRow> Row>
void fields(Io& io, Row& row) {
    io("command", row.command);
    io("phase", row.phase);
    io.if_any("answered_only", row.answered_only);
}

struct CoverageRow {
    std::vector<SentRow> sent;
    /// For each hazard that struck, the phases in which it did.
    Named<std::vector<std::string>> struck;
    bool sets_ttl = false;
    bool ttl_ran_out = false;
    bool ttl_ran_out_inside = false;
};

CoverageRow coverage_row(const Coverage& coverage);

template <class Io, RowOf<CoverageRow> Row>
void fields(Io& io, Row& row) {
    io("sent", row.sent);
    io("struck", row.struck);
    io("sets_ttl", row.sets_ttl);
    io("ttl_ran_out", row.ttl_ran_out);
    io("ttl_ran_out_inside", row.ttl_ran_out_inside);
}

}  // namespace locklab
