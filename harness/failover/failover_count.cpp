#include "harness/failover/failover_count.h"

#include <algorithm>

#include "harness/failover/failover_model.h"

namespace locklab {

namespace {

void add(const FailoverOutcome& outcome, OutcomeCount& count) {
    count.granted += outcome.granted ? 1 : 0;
    count.lost += outcome.lost ? 1 : 0;
    count.twice += outcome.twice ? 1 : 0;
    count.left += outcome.left ? 1 : 0;
    count.lost_share = count.granted == 0
                           ? 0
                           : static_cast<double>(count.lost) / static_cast<double>(count.granted);
}

/// The middle one, the lower one of two.
Duration median_of(std::vector<Duration> times) {
    if (times.empty()) return Duration(0);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

Duration longest_of(const std::vector<Duration>& times) {
    return times.empty() ? Duration(0) : *std::ranges::max_element(times);
}

}  // namespace

bool FailoverCount::model_is_inside() const {
    return modelled && lost_interval.low <= modelled->lost_share &&
           modelled->lost_share <= lost_interval.high;
}

FailoverCount count_failovers(const FailoverCell& cell, const FailoverShape& shape,
                              std::span<const FailoverRun> runs) {
    FailoverCount count;
    count.cell = cell;
    count.shape = shape;
    if (is_modelled(cell)) count.modelled.emplace();
    std::vector<Duration> promoted;
    std::vector<Duration> late;
    for (const FailoverRun& run : runs) {
        if (!run.redis.empty()) count.redis = run.redis;
        if (!run.why_nothing.empty()) {
            if (count.nothing++ == 0) count.why_nothing = run.why_nothing;
            continue;
        }
        if (!run.refused.empty()) {
            ++count.refused;
            continue;
        }
        ++count.runs;
        add(run.real, count.real);
        if (count.modelled) {
            add(run.modelled, *count.modelled);
            count.differ += run.real == run.modelled ? 0 : 1;
        }
        if (!run.second_refused.empty() && count.second_refused++ == 0) {
            count.second_error = run.second_refused;
        }
        promoted.push_back(run.promoted);
        late.push_back(run.late);
    }
    count.lost_interval = share_interval(count.real.lost, count.real.granted);
    count.promoted_median = median_of(promoted);
    count.promoted_longest = longest_of(promoted);
    count.late_median = median_of(late);
    count.late_longest = longest_of(late);
    return count;
}

nlohmann::ordered_json to_json(const FailoverCount& count) { return written_row(count); }
void read_row(const nlohmann::ordered_json& json, FailoverCount& count) {
    read_fields(json, count);
}

}  // namespace locklab
