// Results of the oracles besides the verdict, as fields of rows (row_io.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/check/oracle_tally.h"
#include "harness/record/row_io.h"

namespace locklab {

/// Sum of one oracle over many runs. No verdict: it depends on clocks, and time was real.
struct OracleResult {
    std::uint64_t found = 0;
    std::uint64_t of = 0;
    std::uint64_t runs = 0;
    std::uint64_t found_in_runs = 0;
    std::optional<std::uint64_t> first_run;
    std::optional<Verdict> verdict;
};

template <class Io, RowOf<OracleResult> Row>
void fields(Io& io, Row& row) {
    io("found", row.found);
    io("of", row.of);
    io("runs", row.runs);
    io("found_in_runs", row.found_in_runs);
    io("first_run", row.first_run);
    io("verdict", row.verdict);
}

/// By name, in the order of kOracles.
using OracleResults = Named<OracleResult>;

inline OracleResults results_of(const OracleTally& tally) {
    OracleResults results;
    for (const OracleRow& row : kOracles) {
        const OracleTally::Sum& sum = tally.of(row.oracle);
        results.emplace_back(std::string(row.name),
                             OracleResult{sum.count.found, sum.count.of, sum.runs, sum.found_in,
                                          sum.run, tally.verdict(row)});
    }
    return results;
}

}  // namespace locklab
