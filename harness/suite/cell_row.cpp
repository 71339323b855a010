#include "harness/suite/cell_row.h"

#include "harness/core/fault_text.h"
#include "harness/record/check_fields.h"
#include "harness/record/row_io.h"

namespace locklab {

namespace {

constexpr const char* kNotApplicable = "not_applicable";

}  // namespace

template <class Io, RowOf<WaitPercentiles> Row>
void fields(Io& io, Row& waits) {
    io("p50", waits.p50);
    io("p99", waits.p99);
    io("p999", waits.p999);
    io("max", waits.max);
}

template <class Io, RowOf<CellRow::Disturbances> Row>
void fields(Io& io, Row& disturbances) {
    for (std::size_t i = 0; i < disturbances.runs.size(); ++i) {
        io(kDisturbances[i], disturbances.runs[i]);
    }
    // Rows of older runs, and of locks that are no driver's, have none.
    io.if_any("driver", disturbances.by_driver);
    io.or_null("words", disturbances.words);
}

/// All fields but the algorithm.
template <class Io, RowOf<CellRow> Row>
void count_fields(Io& io, Row& row) {
    io("hazards", row.hazards);
    io("verdict", row.verdict);
    io.if_any("goes_wrong_at_most", row.goes_wrong_at_most);
    io("runs", row.runs);
    io("grants", row.grants);
    io("overlaps", row.overlaps);
    io("lost_updates", row.lost_updates);
    io("fence_inversions", row.fence_inversions);
    io("stuck", row.stuck);
    io("stuck_until_ttl", row.stuck_until_ttl);
    io("longest_orphan_wait_us", row.longest_orphan_wait);
    io("unknown_runs", row.unknown_runs);
    io("causes", row.causes);
    io("without_cause", row.without_cause);
    io("overlaps_per_1000_grants", row.overlaps_per_1000_grants);
    io("writes", row.writes);
    io("erased_writes", row.erased_writes);
    io("denied", row.denied);
    io("erased_per_1000_writes", row.erased_per_1000_writes);
    io("violated_runs", row.violated_runs);
    io("violated_share", row.violated_share);
    io("throughput_per_s", row.throughput_per_s);
    io("wait_us", row.waits);
    io("commands_per_grant", row.commands_per_grant);
    io("jain", row.jain);
    io("unknown_answers", row.unknown_answers);
    io("notices", row.notices);
    io("refusals", row.refusals);
    io.if_any("oracles", row.oracles);
    io.if_any("commands_in_worst_second", row.commands_in_worst_second);
    io.if_any("worst_lag_us", row.worst_lag);
    io("error_answers", row.error_answers);
    io("failed_tries", row.failed_tries);
    io.or_null("first_error", row.first_error);
    io.or_null("replay", row.replay);
    io.or_null("why_unknown", row.why_unknown);
    io.if_any("cut_short", row.cut_short);
    io("faults", row.faults);
    io.if_any("pause_every_us", row.pause_every);
    io.if_any("pause_length_us", row.pause_length);
    io("false_refusal_run", row.false_refusal_run);
    io.if_any("stuck_run", row.stuck_run);
    io.if_any("stuck_clients", row.stuck_clients);
    io("strikes", row.strikes);
    io("disturbed_runs", row.disturbed_runs);
    io("disturbances", row.disturbances);
}

template <class Io, RowOf<CellRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    count_fields(io, row);
}

template <class Io, RowOf<LikeRuns> Row>
void fields(Io& io, Row& like) {
    io("runs", like.runs);
    io("violated", like.violated);
    io("stuck", like.stuck);
    io("command", like.command);
}

template <class Io, RowOf<SuiteCellRow> Row>
void fields(Io& io, Row& row) {
    io("world", row.world);
    io("algorithm", row.cell.algorithm);
    io("hazard", row.hazard);
    io("claim", row.claim);
    io("as_claimed", row.as_claimed);
    count_fields(io, row.cell);
    io.or_null("witness", row.witness);
    io("command", row.command);
    io.if_any("like_runs", row.like);
}

template <class Io, RowOf<SurfacePoint> Row>
void fields(Io& io, Row& point) {
    io("algorithm", point.cell.algorithm);
    io("ttl_us", point.ttl);
    io("clients", point.clients);
    io("longest_job_us", point.longest_job);
    io("pause_length_us", point.pause_length);
    io("pause_every_us", point.pause_every);
    io("verdict", point.cell.verdict);
    io("runs", point.cell.runs);
    io("grants", point.cell.grants);
    io("overlaps", point.cell.overlaps);
    io("overlaps_per_1000_grants", point.cell.overlaps_per_1000_grants);
    io("writes", point.cell.writes);
    io("erased_writes", point.cell.erased_writes);
    io("erased_per_1000_writes", point.cell.erased_per_1000_writes);
    io("lost_updates", point.cell.lost_updates);
    io("stuck", point.cell.stuck);
    io("throughput_per_s", point.cell.throughput_per_s);
    io.or_null("replay", point.cell.replay);
}

CellRow counted_row(const Tally& tally) {
    CellRow row;
    row.verdict = tally.verdict();
    row.runs = tally.runs();
    row.grants = tally.grants();
    row.overlaps = tally.overlaps();
    row.lost_updates = tally.lost_updates();
    row.fence_inversions = tally.fence_inversions();
    row.stuck = tally.stuck_runs();
    row.stuck_until_ttl = tally.stuck_until_ttl_runs();
    row.longest_orphan_wait = tally.longest_orphan_wait();
    row.unknown_runs = tally.unknown_runs();
    row.causes = tally.causes();
    row.without_cause = tally.only_counted();
    row.overlaps_per_1000_grants = tally.overlaps_per_1000_grants();
    row.writes = tally.writes();
    row.erased_writes = tally.erased_writes();
    row.denied = tally.denied();
    row.erased_per_1000_writes = tally.erased_per_1000_writes();
    row.violated_runs = tally.violated_runs();
    row.violated_share = tally.violated_share();
    row.throughput_per_s = tally.throughput_per_s();
    row.waits = tally.waits();
    row.commands_per_grant = tally.commands_per_grant();
    row.jain = tally.jain();
    row.unknown_answers = tally.unknown_answers();
    row.notices = tally.notices();
    row.refusals = tally.refusals();
    row.error_answers = tally.error_answers();
    row.failed_tries = tally.failed_tries();
    row.first_error = tally.first_error();
    return row;
}

CellRow cell_row(const RunSpec& spec, const CampaignCount& count, const std::string& replay) {
    CellRow row = counted_row(count.tally());
    row.algorithm = spec.algorithm->name;
    row.verdict = count.verdict();
    row.replay = replay;
    row.why_unknown = count.why_unknown();
    if (!count.why_cut_short().empty()) row.cut_short = count.why_cut_short();
    row.faults = to_string(spec.budget);
    for (const HazardRow& hazard : kHazards) {
        if (spec.budget[hazard.hazard] == 0) continue;
        row.hazards.emplace_back(hazard.name);
        row.strikes.emplace_back(hazard.name, count.strikes(hazard.hazard));
    }
    if (spec.pauses.every != Duration::zero()) {
        row.pause_every = spec.pauses.every;
        row.pause_length = spec.pauses.length;
    }
    if (is_clean(row.verdict)) row.goes_wrong_at_most = count.tally().bound();
    row.oracles = results_of(count.oracles());
    row.commands_in_worst_second = count.oracles().busiest_second();
    if (!count.oracles().has_exact_clocks()) row.worst_lag = count.worst_lag();
    row.false_refusal_run = count.false_refusal();
    if (const auto stuck = count.stuck()) {
        row.stuck_run = stuck->run;
        std::vector<std::uint32_t>& clients = row.stuck_clients.emplace();
        for (const ClientId client : stuck->clients) clients.push_back(client.value);
    }
    row.disturbed_runs = count.disturbed_runs();
    for (std::size_t i = 0; i < kDisturbances.size(); ++i) {
        const auto kind = static_cast<Disturbance::Kind>(i);
        const std::uint64_t runs = count.disturbed_runs(kind);
        if (i < row.disturbances.runs.size()) {
            row.disturbances.runs[i] = runs;
        } else if (runs > 0) {
            row.disturbances.by_driver = runs;
        }
        if (!count.words_of(kind).empty()) row.disturbances.words = count.words_of(kind);
    }
    return row;
}

nlohmann::ordered_json to_json(const CellRow& row) { return written_row(row); }
nlohmann::ordered_json to_json(const InclusionCount& count) {
    return {{"accepted", count.accepted},
            {"undecided", count.undecided},
            {"refused", count.refused},
            {"text", to_text(count)}};
}

bool came_out_as(const std::string& claim, Verdict verdict) {
    if (claim.empty()) return true;
    return claim == "safe" ? is_clean(verdict) : is_broken(verdict);
}

bool contradicts_claim(const SuiteCellRow& row) {
    if (came_out_as(row.claim, row.cell.verdict)) return false;
    const bool was_enough = row.world == WorldKind::sim && row.cell.verdict != Verdict::not_seen;
    return was_enough || is_broken(row.cell.verdict);
}

nlohmann::ordered_json to_json(const SuiteCellRow& row) { return written_row(row); }
nlohmann::ordered_json to_json(const SurfacePoint& point) { return written_row(point); }
void read_row(const nlohmann::ordered_json& json, SuiteCellRow& row) { read_fields(json, row); }
void read_row(const nlohmann::ordered_json& json, SurfacePoint& point) { read_fields(json, point); }

nlohmann::ordered_json not_applicable_json(WorldKind world, const Algorithm& algorithm,
                                           Hazard hazard) {
    return {{"world", name_of(world)},
            {"algorithm", algorithm.name},
            {"hazard", name_of(hazard)},
            {"verdict", kNotApplicable},
            {"claim", ""},
            {"as_claimed", true}};
}

bool is_not_applicable(const nlohmann::ordered_json& json) {
    return json.at("verdict") == kNotApplicable;
}

}  // namespace locklab
