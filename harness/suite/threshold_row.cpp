#include "harness/suite/threshold_row.h"

#include <algorithm>

#include "harness/core/fault_text.h"
#include "harness/record/row_io.h"

namespace locklab {

namespace {

std::vector<std::string> texts_of(const std::vector<FaultBudget>& sets) {
    std::vector<std::string> texts;
    for (const FaultBudget& set : sets) texts.push_back(to_string(set));
    return texts;
}

std::vector<SearchRow> search_rows(const std::vector<Bounds>& searches) {
    std::vector<SearchRow> rows;
    for (const Bounds& search : searches) rows.push_back(search_row(search));
    return rows;
}

}  // namespace

template <class Io, RowOf<MinimalSetRow> Row>
void fields(Io& io, Row& row) {
    io("faults", row.faults);
    io("verdict", row.verdict);
    io("steps", row.steps);
    io("least_us", row.least);
    io("least_steps", row.least_steps);
    io("cause", row.cause);
    io("witness", row.witness);
    io("replay", row.replay);
    fields(io, row.search);
}

template <class Io, RowOf<ThresholdRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("goal", row.goal);
    io.derived("clients", row.searches.empty() ? 0 : row.searches[0].clients);
    io.derived("rounds", row.searches.empty() ? 0 : row.searches[0].rounds);
    io.derived("attempts", row.searches.empty() ? 0 : row.searches[0].attempts);
    io("searches", row.searches);
    io.if_any("attempts_in_silence", row.attempts_in_silence);
    io("lengths", row.lengths);
    io.if_any("latency_us", row.latency);
    io("ttl_us", row.ttl);
    io("job_us", row.job);
    io("wait_us", row.wait);
    io("command_timeout_us", row.command_timeout);
    io("patient_timeout_us", row.patient_timeout);
    io("reply_delay_us", row.reply_delay);
    io("slow_job_us", row.slow_job);
    io("pause_us", row.pause);
    io("delay_us", row.delay);
    io("clock_us", row.clock);
    io("minimal", row.minimal);
    io("harmless", row.harmless);
    io("harmless_briefly", row.harmless_briefly);
    io("brief_searches", row.brief_searches);
    io.if_any("counts_on_waiters", row.counts_on_waiters);
    io("unknown", row.unknown);
    io("why_unknown", row.why_unknown);
    io("coverage", row.coverage);
    io("complete", row.complete);
    io.if_any("most_faults", row.most_faults);
    io.if_any("seconds", row.seconds);
}

ThresholdRow threshold_row(const Thresholds& found, const std::vector<Explored>& witnesses) {
    ThresholdRow row;
    row.algorithm = found.algorithm->name;
    row.goal = found.goal == Goal::progress ? "progress" : "exclusion";
    row.searches = search_rows(found.searches);
    const Bounds& bounds = found.searches.front();
    row.lengths = bounds.any_length ? "any" : "exact";
    if (bounds.latency > Duration::zero()) row.latency = bounds.latency;
    row.ttl = bounds.options.ttl;
    row.job = bounds.job;
    row.wait = bounds.wait;
    row.command_timeout = bounds.command_timeout;
    row.patient_timeout = bounds.late_timeout();
    if (bounds.attempts_in_silence > 0) row.attempts_in_silence = bounds.attempts_in_silence;
    row.reply_delay = bounds.reply_delay();
    row.slow_job = bounds.slow_job;
    row.pause = bounds.pause;
    row.delay = bounds.delay;
    row.clock = bounds.clock;
    for (std::size_t i = 0; i < found.minimal.size(); ++i) {
        const Threshold& threshold = found.minimal[i];
        MinimalSetRow& set = row.minimal.emplace_back();
        set.faults = to_string(threshold.faults);
        set.verdict = threshold.verdict;
        set.steps = threshold.witness.steps.size();
        set.least = threshold.least;
        if (threshold.least) set.least_steps = threshold.least_steps;
        set.cause = cause_of(witnesses[i]);
        set.witness = witnesses[i].trace;
        set.replay = witnesses[i].replay;
        set.search = search_row(threshold.bounds);
    }
    row.harmless = texts_of(found.harmless);
    row.harmless_briefly = texts_of(found.harmless_briefly);
    row.brief_searches = search_rows(brief_searches(found.searches));
    if (found.counts_on_waiters) row.counts_on_waiters = true;
    for (const UnknownSet& set : found.unknown) {
        row.unknown.push_back(to_string(set.faults));
        row.why_unknown.push_back(set.why);
    }
    row.coverage = coverage_row(found.coverage);
    row.complete = found.complete;
    return row;
}

nlohmann::ordered_json to_json(const ThresholdRow& row) { return written_row(row); }
void read_row(const nlohmann::ordered_json& json, ThresholdRow& row) { read_fields(json, row); }

nlohmann::ordered_json threshold_sets(const std::vector<ThresholdRow>& rows) {
    using Json = nlohmann::ordered_json;
    Json sets = Json::array();
    for (const ThresholdRow& row : rows) {
        const auto within = [&row](const SearchRow& search) {
            return Json{{"algorithm", row.algorithm},
                        {"goal", row.goal},
                        {"clients", search.clients},
                        {"rounds", search.rounds},
                        {"attempts", search.attempts}};
        };
        for (const MinimalSetRow& minimal : row.minimal) {
            sets.push_back(within(row.searches.at(0)));
            sets.back().update(written_row(minimal));
        }
        const auto add = [&](const SearchRow& search, const std::vector<std::string>& list,
                             Verdict verdict) {
            for (const std::string& faults : list) {
                Json set = within(search);
                if (row.attempts_in_silence && parse_faults(faults).silences()) {
                    set["attempts"] = std::min(search.attempts, *row.attempts_in_silence);
                }
                set["faults"] = faults;
                set["verdict"] = name_of(verdict);
                sets.push_back(std::move(set));
            }
        };
        add(row.searches.at(0), row.harmless, Verdict::holds);
        add(row.searches.at(0), row.unknown, Verdict::unknown);
        add(row.brief_searches.at(0), row.harmless_briefly, Verdict::holds);
    }
    return sets;
}

}  // namespace locklab
