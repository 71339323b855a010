// Counts of checkers, as fields of rows (row_io.h).
#pragma once

#include <cstdint>
#include <type_traits>

#include "harness/check/cause.h"
#include "harness/check/interval.h"
#include "harness/check/notice.h"
#include "harness/check/refusal.h"
#include "harness/record/row_io.h"

namespace locklab {

/// An interval without an upper bound has null as `high`.
template <class Io, RowOf<Rate> Row>
void fields(Io& io, Row& rate) {
    io("value", rate.value);
    io("low", rate.low);
    io("high", rate.high);
}

/// Every cause, also those that did not occur.
template <class Io, RowOf<CauseCounts> Row>
void fields(Io& io, Row& causes) {
    for (const CauseRow& row : kCauses) {
        std::uint64_t count = causes[row.cause];
        io(row.name, count);
        if constexpr (!std::is_const_v<Row>) causes[row.cause] = count;
    }
}

template <class Io, RowOf<Notices> Row>
void fields(Io& io, Row& notices) {
    io("losses", notices.losses);
    io("told", notices.told);
    io("never_told", notices.never_told);
    io("late", notices.late);
    io("false_alarms", notices.false_alarms);
    io("longest_us", notices.longest);
}

template <class Io, RowOf<Refusals> Row>
void fields(Io& io, Row& refusals) {
    io("refused", refusals.refused);
    io.derived("falsely", refusals.falsely());
    io("of_own", refusals.of_own);
    io("of_nobodys", refusals.of_nobodys);
}

}  // namespace locklab
