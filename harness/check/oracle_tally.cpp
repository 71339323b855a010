#include "harness/check/oracle_tally.h"

#include "harness/check/run_bound.h"

namespace locklab {

void OracleTally::add(std::uint64_t run, const Judgement& judgement, Duration orphan_limit) {
    exact_clocks_ = exact_clocks_ && judgement.exact_clocks;
    if (judgement.busiest_second > busiest_) {
        busiest_ = judgement.busiest_second;
        busiest_run_ = run;
    }
    for (const OracleRow& row : kOracles) {
        const OracleCount count = count_of(row.oracle, judgement, orphan_limit);
        Sum& sum = sums_[static_cast<std::size_t>(row.oracle)];
        sum.count.found += count.found;
        sum.count.of += count.of;
        if (count.of > 0) ++sum.runs;
        if (count.found == 0) continue;
        ++sum.found_in;
        if (!sum.run) sum.run = run;
    }
}

std::optional<Verdict> OracleTally::verdict(const OracleRow& row) const {
    if (!is_verdict(row, exact_clocks_)) return std::nullopt;
    const Sum& sum = of(row.oracle);
    return sum.found_in > 0 ? Verdict::violated : verdict_of_clean(sum.runs);
}

}  // namespace locklab
