#include "harness/record/judgement_json.h"

#include <algorithm>
#include <cmath>

namespace locklab {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostInJson = 100;

ordered_json text_or_null(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json rate_json(const Rate& rate) {
    ordered_json high = nullptr;
    if (std::isfinite(rate.high)) high = rate.high;
    return {{"value", rate.value}, {"low", rate.low}, {"high", std::move(high)}};
}

ordered_json waits_json(const WaitPercentiles& waits) {
    return {{"p50", us(waits.p50)},
            {"p99", us(waits.p99)},
            {"p999", us(waits.p999)},
            {"max", us(waits.max)}};
}

ordered_json notices_json(const Notices& notices) {
    return {{"losses", notices.losses},
            {"told", notices.told},
            {"never_told", notices.never_told},
            {"late", notices.late},
            {"longest_us", us(notices.longest)}};
}

ordered_json refusals_json(const Refusals& refusals) {
    return {{"refused", refusals.refused},
            {"falsely", refusals.falsely()},
            {"of_own", refusals.of_own},
            {"of_nobodys", refusals.of_nobodys}};
}

ordered_json violation_json(const Violation& violation) {
    return {{"kind", std::string(name_of(violation.kind))},
            {"t_us", us(violation.at)},
            {"client", violation.client.value},
            {"grant", violation.grant},
            {"other_grant", violation.other},
            {"duration_us", us(violation.duration)},
            {"cause", std::string(name_of(violation.cause))},
            {"counts", violation.counts}};
}

}  // namespace

ordered_json causes_json(const CauseCounts& causes) {
    ordered_json json = ordered_json::object();
    for (const CauseRow& row : kCauses) json[std::string(row.name)] = causes[row.cause];
    return json;
}

ordered_json campaign_json(const Cell& cell, const Tally& tally) {
    ordered_json json;
    json["algorithm"] = cell.algorithm;
    json["hazards"] = cell.hazards;
    json["verdict"] = std::string(name_of(tally.verdict()));
    json["runs"] = tally.runs();
    json["grants"] = tally.grants();
    json["overlaps"] = tally.overlaps();
    json["lost_updates"] = tally.lost_updates();
    json["fence_inversions"] = tally.fence_inversions();
    json["stuck"] = tally.stuck_runs();
    json["stuck_until_ttl"] = tally.stuck_until_ttl_runs();
    json["longest_orphan_wait_us"] = us(tally.longest_orphan_wait());
    json["unknown_runs"] = tally.unknown_runs();
    json["causes"] = causes_json(tally.causes());
    json["without_cause"] = tally.only_counted();
    json["overlaps_per_1000_grants"] = rate_json(tally.overlaps_per_1000_grants());
    json["writes"] = tally.writes();
    json["erased_writes"] = tally.erased_writes();
    json["denied"] = tally.denied();
    json["erased_per_1000_writes"] = rate_json(tally.erased_per_1000_writes());
    json["violated_runs"] = tally.violated_runs();
    json["violated_share"] = rate_json(tally.violated_share());
    json["throughput_per_s"] = tally.throughput_per_s();
    json["wait_us"] = waits_json(tally.waits());
    json["commands_per_grant"] = tally.commands_per_grant();
    json["jain"] = tally.jain();
    json["unknown_answers"] = tally.unknown_answers();
    json["notices"] = notices_json(tally.notices());
    json["refusals"] = refusals_json(tally.refusals());
    json["error_answers"] = tally.error_answers();
    json["failed_tries"] = tally.failed_tries();
    json["first_error"] = text_or_null(tally.first_error());
    json["replay"] = cell.replay;
    return json;
}

ordered_json judgement_json(const Judgement& judgement) {
    ordered_json json;
    json["verdict"] = std::string(name_of(judgement.verdict));
    json["why_unknown"] = text_or_null(judgement.why_unknown);
    json["grants"] = judgement.grants;
    json["overlaps"] = judgement.overlaps;
    json["lost_updates"] = judgement.lost_updates;
    json["fence_inversions"] = judgement.fence_inversions;
    json["stuck"] = judgement.liveness.stuck;
    json["waiting"] = ordered_json::array();
    for (const ClientId client : judgement.liveness.waiting) {
        json["waiting"].push_back(client.value);
    }
    json["longest_orphan_wait_us"] = us(judgement.liveness.longest_orphan_wait);
    json["grants_in_overlap"] = judgement.grants_in_overlap;
    json["denied"] = judgement.denied;
    json["causes"] = causes_json(judgement.causes);
    json["without_cause"] = judgement.only_counted;
    json["commands"] = judgement.commands;
    json["unknown_answers"] = judgement.unknown_answers;
    json["error_answers"] = judgement.errors.answers;
    json["failed_tries"] = judgement.errors.tries;
    json["first_error"] = text_or_null(judgement.errors.first);
    json["duration_us"] = us(judgement.duration);
    json["notices"] = notices_json(judgement.notices);
    json["refusals"] = refusals_json(judgement.refusals);
    json["refusals"]["first_us"] = nullptr;
    json["refusals"]["first_client"] = nullptr;
    if (judgement.refusals.falsely() > 0) {
        json["refusals"]["first_us"] = us(judgement.refusals.first_at);
        json["refusals"]["first_client"] = judgement.refusals.first_client.value;
    }
    json["register_jumps"] = judgement.register_jumps;
    json["uncertain_effects"] = judgement.uncertain_effects;
    json["violations"] = ordered_json::array();
    const std::size_t shown = std::min(kMostInJson, judgement.violations.size());
    for (std::size_t i = 0; i < shown; ++i) {
        json["violations"].push_back(violation_json(judgement.violations[i]));
    }
    json["violations_not_shown"] = judgement.violations.size() - shown + judgement.only_counted;
    return json;
}

}  // namespace locklab
