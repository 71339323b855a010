#include "harness/cli/explore_report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/check/interval.h"
#include "harness/cli/command_line.h"
#include "harness/cli/counted.h"
#include "harness/cli/explore_trace.h"
#include "harness/cli/proof_report.h"
#include "harness/cli/typed.h"
#include "harness/core/fault_text.h"
#include "harness/explore/step_text.h"
#include "harness/record/files.h"
#include "harness/stage/sim_world.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

std::string file_name(const Explored& explored, const Find& find) {
    return trace_name(find) +
           // The same faults may break exclusion and progress, each in a way of its own.
           (explored.result.verdict == Verdict::stuck ? ".stuck" : "") +
           (explored.seed ? "." + explored.strategy + std::to_string(*explored.seed) : "") +
           ".json";
}

/// Those of its steps, and the clocks that were wrong before the first.
std::size_t faults_in(const Path& witness) {
    std::size_t count = 0;
    for (const Step& step : witness.steps) count += is_fault(step) ? 1 : 0;
    for (const std::int16_t clock : witness.clocks) count += clock != 0 ? 1 : 0;
    return count;
}

}  // namespace

std::string cause_of(const Explored& explored) {
    if (!explored.judgement) return "";
    for (const Violation& violation : explored.judgement->violations) {
        if (violation.kind == Violation::Kind::overlap)
            return std::string(name_of(violation.cause));
    }
    return "";
}

void show_witness(Explored& explored, const std::filesystem::path& folder) {
    const Verdict verdict = explored.result.verdict;
    if (verdict != Verdict::violated && verdict != Verdict::stuck) return;
    const Find find = find_of(*explored.algorithm, explored.bounds, explored.result.witness,
                              verdict == Verdict::stuck);
    SimWorld world;
    try {
        explored.scene = play_steps(find, world, Key{"lock"});
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(std::string(error.what()) + ": this is a bug of locklab");
    }
    explored.judgement = judge(explored.scene->history);
    const bool seen = verdict == Verdict::violated ? explored.judgement->overlaps > 0
                                                   : explored.judgement->liveness.stuck;
    if (!seen) {
        throw std::runtime_error("the search finds " + std::string(explored.algorithm->name) + " " +
                                 std::string(name_of(verdict)) +
                                 ", and the stage does not see it: this is a bug of locklab");
    }
    const std::filesystem::path file = folder / file_name(explored, find);
    write_file(file, to_json(find));
    explored.trace = file.string();
    explored.replay = typed_program() + " replay " + typed(file);
}

namespace {

std::string rounded(const char* format, double value) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string work_text(const Explored& explored) {
    const SearchResult& result = explored.result;
    std::string text;
    if (explored.schedules) {
        text = std::to_string(*explored.schedules) + " " + explored.strategy + " schedules, " +
               (explored.seed ? "seed " + std::to_string(*explored.seed) + ", " : "") +
               std::to_string(result.steps) + " steps";
    } else {
        text = std::to_string(result.states) + " states, " + std::to_string(result.steps) +
               " steps between them, depth " + std::to_string(result.depth);
    }
    if (result.exhausted) text += ", exhausted";
    return text + ", in " + rounded("%.3f", explored.seconds) + " s\n";
}

/// How many of the schedules that were made are violated.
std::string count_text(const Explored& explored) {
    const std::uint64_t count = *explored.violated_schedules;
    std::string text =
        "  violated: " + std::to_string(count) + " of " + counted(*explored.schedules, "schedule");
    if (explored.strategy == "plain") return text + "\n";
    const Rate share = share_interval(count, *explored.schedules);
    return text + ", " + rounded("%.4g", share.value) + " (95 % interval " +
           rounded("%.4g", share.low) + " to " + rounded("%.4g", share.high) + ")\n";
}

std::string odds_text(const Explored& explored) {
    const Odds& odds = *explored.odds;
    if (!odds.complete) return "  probability: not known, " + odds.why_not + "\n";
    std::string text = "  " + rounded("%.15g", odds.schedules) + " different schedules, " +
                       rounded("%.15g", odds.violated_schedules) +
                       " of them violated\n  P(violation) = " + rounded("%.6g", odds.violation) +
                       ", if every step that can be made is as likely as any other\n";
    if (odds.along.empty()) return text;
    text += "  along the witness:";
    for (const double violation : odds.along) text += " " + rounded("%.3g", violation);
    text += "\n";
    const auto last = static_cast<std::int64_t>(odds.along.size()) - 1;
    if (odds.inevitable_after == last) {
        text += "  before its last step a violation is not inevitable\n";
    } else if (odds.inevitable_after >= 0) {
        text += "  after step " + std::to_string(odds.inevitable_after) + " of " +
                std::to_string(last) + " a violation is inevitable\n";
    }
    return text;
}

nlohmann::ordered_json odds_json(const Odds& odds) {
    nlohmann::ordered_json json;
    json["complete"] = odds.complete;
    if (!odds.complete) {
        json["why_not"] = odds.why_not;
        return json;
    }
    json["violation"] = odds.violation;
    json["schedules"] = odds.schedules;
    json["violated_schedules"] = odds.violated_schedules;
    json["states"] = odds.states;
    json["steps"] = odds.steps;
    json["along_witness"] = odds.along;
    json["inevitable_after_step"] = nullptr;
    if (odds.inevitable_after >= 0) json["inevitable_after_step"] = odds.inevitable_after;
    return json;
}

std::string witness_title(const Explored& explored) {
    std::string text = explored.proved_shortest ? "  shortest witness: " : "  a witness: ";
    text += std::to_string(explored.result.witness.steps.size()) + " steps, " +
            counted(faults_in(explored.result.witness), "fault");
    const std::string cause = cause_of(explored);
    if (!cause.empty()) text += "; " + cause;
    if (explored.shrunk_from) {
        text += "; found with " + counted(*explored.shrunk_from, "step") + ", shrunk";
        text += explored.proved_shortest ? ", and no shorter one exists"
                                         : "; whether there is a shorter one is not known";
    }
    return text + "\n";
}

}  // namespace

std::string explored_text(const Explored& explored) {
    const SearchResult& result = explored.result;
    std::string text = std::string(explored.algorithm->name) + ": " +
                       std::string(name_of(result.verdict)) + "\n" + bounds_text(explored) +
                       claims_text(explored) + "  " + work_text(explored);
    if (!result.why_unknown.empty()) text += "  unknown: " + result.why_unknown + "\n";
    if (explored.violated_schedules) text += count_text(explored);
    text += findings_text(explored);
    if (explored.odds) text += odds_text(explored);
    const bool tells_coverage = explored.exercised || !explored.proofs.empty();
    if (tells_coverage && !explored.scene) text += coverage_text(explored);
    if (!explored.scene) return text;
    text += witness_title(explored) + "\n" + to_text(make_timeline(*explored.scene));
    if (result.verdict == Verdict::stuck) {
        text +=
            "  The last client comes when all others are gone or wait, and never gets the lock.\n";
    }
    return text + "  replay: " + explored.replay + "\n";
}

nlohmann::ordered_json explored_json(const Explored& explored) {
    const SearchResult& result = explored.result;
    nlohmann::ordered_json json;
    json["algorithm"] = explored.algorithm->name;
    json["clients"] = explored.bounds.clients;
    json["rounds"] = explored.bounds.rounds;
    json["attempts"] = explored.bounds.attempts;
    json["faults"] = to_string(explored.bounds.faults);
    json["lengths"] = explored.bounds.any_length ? "any" : "exact";
    json["strategy"] = explored.strategy;
    json["seed"] = nullptr;
    if (explored.seed) json["seed"] = *explored.seed;
    json["verdict"] = name_of(result.verdict);
    json["exhausted"] = result.exhausted;
    json["schedules"] = nullptr;
    if (explored.schedules) json["schedules"] = *explored.schedules;
    if (explored.violated_schedules) {
        json["violated_schedules"] = *explored.violated_schedules;
        const Rate share = share_interval(*explored.violated_schedules, *explored.schedules);
        if (explored.seed) {
            json["violated_share"] = {
                {"value", share.value}, {"low", share.low}, {"high", share.high}};
        }
    }
    if (explored.odds) json["probability"] = odds_json(*explored.odds);
    json["steps"] = result.steps;
    json["states"] = result.states;
    json["depth"] = result.depth;
    json["seconds"] = explored.seconds;
    json["memory_bytes"] = result.memory;
    json["digest"] = result.digest;
    add_findings(explored, json);
    add_proofs(explored, json);
    json["why_unknown"] = nullptr;
    if (!result.why_unknown.empty()) json["why_unknown"] = result.why_unknown;
    json["witness"] = nullptr;
    json["cause"] = nullptr;
    if (explored.trace.empty()) return json;
    json["witness"] = explored.trace;
    json["witness_steps"] = result.witness.steps.size();
    json["witness_faults"] = faults_in(result.witness);
    json["proved_shortest"] = explored.proved_shortest;
    if (explored.shrunk_from) json["shrunk_from_steps"] = *explored.shrunk_from;
    json["replay"] = explored.replay;
    const std::string cause = cause_of(explored);
    if (!cause.empty()) json["cause"] = cause;
    return json;
}

int explored_exit(const std::vector<Explored>& all) {
    int code = kExitHolds;
    for (const Explored& explored : all) {
        const int its = exit_code(explored.result.verdict);
        // A violation is worse than not to know.
        if (its == kExitViolated || code == kExitHolds) code = its;
    }
    return code;
}

}  // namespace locklab
