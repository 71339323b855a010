#include "harness/record/judgement_json.h"

#include <algorithm>
#include <string>

#include "harness/check/oracle.h"
#include "harness/record/check_fields.h"
#include "harness/record/client_options_json.h"

namespace locklab {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostInJson = 100;

ordered_json text_or_null(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json violation_json(const Violation& violation) {
    ordered_json line{{"kind", std::string(name_of(violation.kind))},
                      {"t_us", us(violation.at)},
                      {"client", violation.client.value},
                      {"grant", violation.grant},
                      {"other_grant", violation.other},
                      {"duration_us", us(violation.duration)},
                      {"cause", std::string(name_of(violation.cause))},
                      {"counts", violation.counts}};
    if (violation.lock != ResourceId{}) line["lock"] = violation.lock.value;
    if (violation.sharing > 0) line["sharing"] = violation.sharing;
    return line;
}

/// The oracles of one history. A verdict is null if it depends on clocks, and time was real.
ordered_json oracles_json(const Judgement& judgement) {
    ordered_json oracles;
    for (const OracleRow& row : kOracles) {
        OracleCount count = count_of(row.oracle, judgement, Duration::zero());
        // What is too long a wait depends on the TTL, which is not known here.
        if (row.oracle == Oracle::orphan_waits && count.found == 0) count.of = 0;
        ordered_json& line = oracles[std::string(row.name)];
        line = {{"found", count.found}, {"of", count.of}, {"verdict", nullptr}};
        if (!is_verdict(row, judgement.exact_clocks)) continue;
        const Verdict clean = count.of > 0 ? Verdict::holds : Verdict::unknown;
        line["verdict"] = name_of(count.found > 0 ? Verdict::violated : clean);
    }
    return oracles;
}

}  // namespace

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
    if (!judgement.deadlock.empty()) {
        for (const WaitInCircle& wait : judgement.deadlock) {
            json["deadlock"].push_back({{"client", wait.client.value},
                                        {"has", wait.has.value},
                                        {"wants", wait.wants.value}});
        }
    }
    json["longest_orphan_wait_us"] = us(judgement.liveness.longest_orphan_wait);
    json["grants_in_overlap"] = judgement.grants_in_overlap;
    json["denied"] = judgement.denied;
    json["causes"] = written_row(judgement.causes);
    json["without_cause"] = judgement.only_counted;
    json["oracles"] = oracles_json(judgement);
    json["commands"] = judgement.commands;
    json["commands_in_worst_second"] = judgement.busiest_second;
    json["unknown_answers"] = judgement.unknown_answers;
    json["error_answers"] = judgement.errors.answers;
    json["failed_tries"] = judgement.errors.tries;
    json["first_error"] = text_or_null(judgement.errors.first);
    json["duration_us"] = us(judgement.duration);
    json["notices"] = written_row(judgement.notices);
    json["refusals"] = written_row(judgement.refusals);
    json["refusals"]["first_us"] = nullptr;
    json["refusals"]["first_client"] = nullptr;
    if (judgement.refusals.falsely() > 0) {
        json["refusals"]["first_us"] = us(judgement.refusals.first_at);
        json["refusals"]["first_client"] = judgement.refusals.first_client.value;
    }
    if (judgement.tasks != 1) json["tasks"] = judgement.tasks;
    if (!judgement.unequal.empty()) json[kUnequalClients] = to_json(judgement.unequal);
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
