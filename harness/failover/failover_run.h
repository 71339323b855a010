// One failover of real servers, beside the same one in the model: a row of the measurement's file.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "harness/failover/failover_cell.h"
#include "harness/failover/failover_outcome.h"
#include "harness/record/row_io.h"

namespace locklab {

/// How FailoverRun::why_nothing begins where this machine decided itself which locks are lost.
inline constexpr std::string_view kMachineLate = "This machine was late by ";

struct FailoverRun {
    FailoverCell cell;
    FailoverShape shape;
    std::uint64_t run = 0;    ///< its number in the cell, from 0
    std::string redis;        ///< version
    std::string why_nothing;  ///< why it shows nothing, as one sentence; empty: it shows something

    /// The answer to SET when it was an error; then nobody was killed.
    std::string refused;
    Duration drawn{0};     ///< when the master was to be killed, after the answer to SET...
    Duration killed{0};    ///< ...and when it was
    Duration late{0};      ///< how late this machine was: the answer, the kill, or the link
    Duration promoted{0};  ///< from the kill until the new master served
    FailoverOutcome real;
    /// Its answer to the second client, if that was an error.
    std::string second_refused;
    FailoverOutcome modelled;
};

/// Starts the servers, lets a client take the lock, kills the master, waits for Sentinel, and asks
/// the new master. Nothing is left behind.
FailoverRun run_failover(const FailoverCell& cell, const FailoverShape& shape, std::uint64_t run);

nlohmann::ordered_json to_json(const FailoverRun& run);
/// Throws FormatError, or what nlohmann::json throws.
void read_row(const nlohmann::ordered_json& json, FailoverRun& run);

template <class Io, RowOf<FailoverCell> Row>
void fields(Io& io, Row& row) {
    io("lag_us", row.lag);
    std::string safeguard(name_of(row.safeguard));
    io("safeguard", safeguard);
    if constexpr (!std::is_const_v<Row>) row.safeguard = safeguard_named(safeguard);
    io("replicas", row.replicas);
}

template <class Io, RowOf<FailoverShape> Row>
void fields(Io& io, Row& row) {
    io("seed", row.seed);
    io("within_us", row.within);
    io("ttl_us", row.ttl);
    std::string server(name_of(row.server));
    io("server", server);
    if constexpr (!std::is_const_v<Row>) {
        const auto known = server_named(server);
        if (!known) throw std::invalid_argument("'server' must be " + std::string(kServerNames));
        row.server = *known;
    }
}

template <class Io, RowOf<FailoverOutcome> Row>
void fields(Io& io, Row& row) {
    io("granted", row.granted);
    io("lost", row.lost);
    io("twice", row.twice);
    io("left", row.left);
}

template <class Io, RowOf<FailoverRun> Row>
void fields(Io& io, Row& row) {
    fields(io, row.cell);
    fields(io, row.shape);
    io("run", row.run);
    io.or_null("redis", row.redis);
    io.or_null("why_nothing", row.why_nothing);
    io.or_null("refused", row.refused);
    io("drawn_us", row.drawn);
    io("killed_us", row.killed);
    io("late_us", row.late);
    io("promoted_us", row.promoted);
    io("real", row.real);
    io.or_null("second_refused", row.second_refused);
    io("modelled", row.modelled);
}

}  // namespace locklab
