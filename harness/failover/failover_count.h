// The failovers of a cell, counted: of the locks that were granted, how many were lost, in reality
// and in the model.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/check/interval.h"
#include "harness/failover/failover_run.h"
#include "harness/record/check_fields.h"
#include "harness/record/row_io.h"

namespace locklab {

struct OutcomeCount {
    std::uint64_t granted = 0;
    std::uint64_t lost = 0;
    std::uint64_t twice = 0;
    std::uint64_t left = 0;
    double lost_share = 0;  ///< of those granted; 0 if there are none
};

struct FailoverCount {
    FailoverCell cell;
    FailoverShape shape;
    std::string redis;
    std::uint64_t runs = 0;     ///< that show something: the master was killed, and replaced
    std::uint64_t refused = 0;  ///< in which the first SET was refused, and nobody was killed
    std::uint64_t nothing = 0;  ///< that show nothing
    std::string why_nothing;    ///< of the first of these
    OutcomeCount real;
    Rate lost_interval;                    ///< of real.lost_share
    std::optional<OutcomeCount> modelled;  ///< nothing: the model cannot say
    std::uint64_t differ = 0;              ///< runs in which model and reality differ
    std::uint64_t second_refused = 0;  ///< in which the new master refused the second client's SET
    std::string second_error;          ///< the first of these answers
    Duration promoted_median{0};
    Duration promoted_longest{0};
    /// How late this machine was in a run that shows something.
    Duration late_median{0};
    Duration late_longest{0};

    /// Whether the model's share is in the interval of the real one.
    bool model_is_inside() const;
};

/// `runs` are of one cell.
FailoverCount count_failovers(const FailoverCell& cell, const FailoverShape& shape,
                              std::span<const FailoverRun> runs);

nlohmann::ordered_json to_json(const FailoverCount& count);
/// Throws FormatError, or what nlohmann::json throws.
void read_row(const nlohmann::ordered_json& json, FailoverCount& count);

template <class Io, RowOf<OutcomeCount> Row>
void fields(Io& io, Row& row) {
    io("granted", row.granted);
    io("lost", row.lost);
    io("twice", row.twice);
    io("left", row.left);
    io("lost_share", row.lost_share);
}

template <class Io, RowOf<FailoverCount> Row>
void fields(Io& io, Row& row) {
    fields(io, row.cell);
    fields(io, row.shape);
    io.or_null("redis", row.redis);
    io("runs", row.runs);
    io("refused", row.refused);
    io("nothing", row.nothing);
    io.or_null("why_nothing", row.why_nothing);
    io("real", row.real);
    io("lost_interval", row.lost_interval);
    io("modelled", row.modelled);
    io("differ", row.differ);
    io.derived("model_is_inside", row.model_is_inside());
    io("second_refused", row.second_refused);
    io.or_null("second_error", row.second_error);
    io("promoted_us_p50", row.promoted_median);
    io("promoted_us_max", row.promoted_longest);
    io("late_us_p50", row.late_median);
    io("late_us_max", row.late_longest);
}

}  // namespace locklab
