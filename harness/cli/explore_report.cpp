#include "harness/cli/explore_report.h"

#include <cstdio>
#include <stdexcept>

#include "harness/cli/command_line.h"
#include "harness/cli/explore_trace.h"
#include "harness/cli/typed.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/explore/step_text.h"
#include "harness/record/files.h"
#include "harness/record/timeline.h"
#include "harness/record/timeline_text.h"
#include "harness/stage/sim_world.h"

namespace locklab {

namespace {

Find find_of(const Explored& explored) {
    Find find;
    find.algorithm = explored.algorithm;
    find.bounds = explored.bounds;
    find.steps = explored.result.witness.steps;
    find.newcomer = explored.result.verdict == Verdict::stuck;
    for (std::uint32_t i = 0; i < explored.bounds.clients; ++i) {
        find.clock_offsets.push_back(std::chrono::milliseconds(explored.result.witness.clocks[i]));
    }
    return find;
}

std::string file_name(const Explored& explored) {
    const Bounds& bounds = explored.bounds;
    return "explore." + std::string(explored.algorithm->name) + "." + to_string(bounds.faults) +
           ".c" + std::to_string(bounds.clients) + "r" + std::to_string(bounds.rounds) + "a" +
           std::to_string(bounds.attempts) +
           (explored.seed ? "." + explored.strategy + std::to_string(*explored.seed) : "") +
           ".json";
}

std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string bounds_text(const Bounds& bounds) {
    return counted(bounds.clients, "client") + ", " + counted(bounds.rounds, "round") + ", " +
           counted(bounds.attempts, "attempt") + ", faults " + to_string(bounds.faults);
}

/// Those of its steps, and the clocks that were wrong before the first.
std::size_t faults_in(const Path& witness) {
    std::size_t count = 0;
    for (const Step& step : witness.steps) count += is_fault(step) ? 1 : 0;
    for (const std::int16_t clock : witness.clocks) count += clock != 0 ? 1 : 0;
    return count;
}

std::string cause_in(const Judgement& judgement) {
    for (const Violation& violation : judgement.violations) {
        if (violation.kind == Violation::Kind::overlap)
            return std::string(name_of(violation.cause));
    }
    return "";
}

}  // namespace

void show_witness(Explored& explored, const std::filesystem::path& folder) {
    const Verdict verdict = explored.result.verdict;
    if (verdict != Verdict::violated && verdict != Verdict::stuck) return;
    const Find find = find_of(explored);
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
    const std::filesystem::path file = folder / file_name(explored);
    write_file(file, to_json(find));
    explored.trace = file.string();
    explored.replay = typed_program() + " replay " + typed(file);
}

std::string explored_text(const Explored& explored) {
    const SearchResult& result = explored.result;
    std::string text = std::string(explored.algorithm->name) + ": " +
                       std::string(name_of(result.verdict)) + "\n  " +
                       bounds_text(explored.bounds) + "\n  ";
    if (explored.schedules) {
        text += std::to_string(*explored.schedules) + " " + explored.strategy +
                " schedules, seed " + std::to_string(*explored.seed) + ", " +
                std::to_string(result.steps) + " steps";
    } else {
        text += std::to_string(result.states) + " states, " + std::to_string(result.steps) +
                " steps between them, depth " + std::to_string(result.depth) +
                (result.exhausted ? ", exhausted" : "");
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", explored.seconds);
    text += ", in " + std::string(seconds) + " s\n";
    if (!result.why_unknown.empty()) text += "  unknown: " + result.why_unknown + "\n";
    if (result.longest_orphan > Duration::zero()) {
        text += "  a lock that is left behind is free again after " +
                to_string(result.longest_orphan) + " at most\n";
    }
    if (!explored.scene) return text;
    text += std::string(explored.schedules ? "  a witness: " : "  shortest witness: ") +
            std::to_string(result.witness.steps.size()) + " steps, " +
            counted(faults_in(result.witness), "fault");
    const std::string cause = cause_in(*explored.judgement);
    text += (cause.empty() ? "" : "; " + cause) + "\n\n";
    text += to_text(make_timeline(*explored.scene));
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
    json["strategy"] = explored.strategy;
    json["seed"] = nullptr;
    if (explored.seed) json["seed"] = *explored.seed;
    json["verdict"] = name_of(result.verdict);
    json["exhausted"] = result.exhausted;
    json["schedules"] = nullptr;
    if (explored.schedules) json["schedules"] = *explored.schedules;
    json["steps"] = result.steps;
    json["states"] = result.states;
    json["depth"] = result.depth;
    json["seconds"] = explored.seconds;
    json["memory_bytes"] = result.memory;
    json["digest"] = result.digest;
    json["longest_orphan_us"] = us(result.longest_orphan);
    json["why_unknown"] = nullptr;
    if (!result.why_unknown.empty()) json["why_unknown"] = result.why_unknown;
    json["witness"] = nullptr;
    json["cause"] = nullptr;
    if (explored.trace.empty()) return json;
    json["witness"] = explored.trace;
    json["witness_steps"] = result.witness.steps.size();
    json["witness_faults"] = faults_in(result.witness);
    json["replay"] = explored.replay;
    const std::string cause = cause_in(*explored.judgement);
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
