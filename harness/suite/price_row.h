// What a lock costs while nothing fails, and what it lets through under a fixed mix of faults: both
// measured with the same processes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/check/interval.h"
#include "harness/core/time.h"
#include "harness/record/check_fields.h"
#include "harness/record/row_io.h"

namespace locklab {

/// Runs without a fault.
struct CalmRuns {
    std::uint64_t grants = 0;
    double grants_per_s = 0;
    Duration wait_median{0};
    Duration wait_p99{0};
    std::optional<double> commands_per_grant;  ///< nothing: its servers are not Redis
    std::string command;                       ///< that makes them again
};

/// Runs with one of each fault of the mix.
struct StruckRuns {
    std::uint64_t runs = 0;      ///< that show something
    std::uint64_t left_out = 0;  ///< this machine disturbed them
    std::uint64_t stuck_runs = 0;
    std::uint64_t grants = 0;
    std::uint64_t overlaps = 0;
    Rate overlaps_per_1000;  ///< grants
    std::string command;
};

struct PriceRow {
    std::string lock;     ///< as on the command line, without "driver:": "redlock", "lib:etcd"
    std::string servers;  ///< "one", "masters:5", "replicas:1"; "own": they are not Redis
    std::string version;  ///< of a library; empty: it is a lock of ours
    Duration ttl{0};
    std::string faults;   ///< the mix: one of each in a run
    std::string why_not;  ///< why it could not be measured, as a sentence; empty: it was
    CalmRuns calm;
    StruckRuns struck;
};

template <class Io, RowOf<CalmRuns> Row>
void fields(Io& io, Row& row) {
    io("grants", row.grants);
    io("grants_per_s", row.grants_per_s);
    io("wait_us_p50", row.wait_median);
    io("wait_us_p99", row.wait_p99);
    io.if_any("commands_per_grant", row.commands_per_grant);
    io("command", row.command);
}

template <class Io, RowOf<StruckRuns> Row>
void fields(Io& io, Row& row) {
    io("runs", row.runs);
    io("left_out", row.left_out);
    io("stuck_runs", row.stuck_runs);
    io("grants", row.grants);
    io("overlaps", row.overlaps);
    io("overlaps_per_1000", row.overlaps_per_1000);
    io("command", row.command);
}

template <class Io, RowOf<PriceRow> Row>
void fields(Io& io, Row& row) {
    io("lock", row.lock);
    io("servers", row.servers);
    io.or_null("version", row.version);
    io("ttl_us", row.ttl);
    io("faults", row.faults);
    io.or_null("why_not", row.why_not);
    io("calm", row.calm);
    io("struck", row.struck);
}

nlohmann::ordered_json to_json(const PriceRow& row);
/// Throws FormatError, or what nlohmann::json throws.
void read_row(const nlohmann::ordered_json& json, PriceRow& row);

}  // namespace locklab
