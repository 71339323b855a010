// A cell of the table of libraries as fields of a row (row_io.h).
#pragma once

#include "harness/record/check_fields.h"
#include "harness/suite/table_cell.h"

namespace locklab {

template <class Io, RowOf<Hangs> Row>
void fields(Io& io, Row& hangs) {
    io("count", hangs.count);
    io("gone_on", hangs.gone_on);
    io("longest_wait_us", hangs.longest_wait);
}

template <class Io, RowOf<TableCell> Row>
void fields(Io& io, Row& cell) {
    io("subject", cell.subject);
    io("library", cell.library);
    io.or_null("version", cell.version);
    io("world", cell.world);
    io("faults", cell.faults);
    io("size", cell.size);
    io("made_by", cell.made_by);
    io("date", cell.date);
    io.or_null("baseline", cell.baseline);
    io("verdict", cell.verdict);
    io.derived("news", cell.is_news());
    io.or_null("why_unknown", cell.why_unknown);
    io("runs", cell.runs);
    io("broken_runs", cell.broken_runs);
    io("left_out", cell.left_out);
    io("hung", cell.hung);
    io("goes_wrong_at_most", cell.goes_wrong_at_most);
    io("grants", cell.grants);
    io("causes", cell.causes);
    io.if_any("oracles", cell.oracles);
    io.if_any("hangs", cell.hangs);
    io.or_null("rules", cell.rules);
    io.or_null("library_error", cell.library_error);
    io("replay", cell.replay);
    io("seconds", cell.seconds);
}

}  // namespace locklab
