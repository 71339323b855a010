#include "harness/play/explored.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "harness/check/interval.h"
#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/explore/parts.h"
#include "harness/explore/step_text.h"
#include "harness/play/explore_trace.h"
#include "harness/play/proof_text.h"
#include "harness/record/files.h"
#include "harness/record/typed.h"
#include "harness/stage/sim_world.h"
#include "harness/view/timeline.h"
#include "harness/view/timeline_text.h"

namespace locklab {

namespace {

std::string file_name(const Explored& explored, const Find& find) {
    return trace_name(find) +
           // The same faults may break both exclusion and progress, by different schedules.
           (explored.result.verdict == Verdict::stuck ? ".stuck" : "") +
           (explored.seed ? "." + explored.strategy + std::to_string(*explored.seed) : "") +
           ".json";
}

/// Whether a violation that judges find is of a kind that searches look for.
bool is_searched(const Violation& violation) {
    return violation.kind == Violation::Kind::overlap || violation.token != 0;
}

/// Why the stage does not show what the search found; empty: it does.
std::string play_and_judge(Explored& explored, const Find& find) {
    SimWorld world;
    try {
        explored.scene = play_steps(find, world, Key{"lock"});
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    explored.judgement = judge(explored.scene->history);
    const Verdict verdict = explored.result.verdict;
    const bool seen = verdict == Verdict::violated
                          ? std::ranges::any_of(explored.judgement->violations, is_searched)
                          : explored.judgement->liveness.stuck;
    if (seen) return {};
    return "the search finds " + std::string(explored.algorithm->name) + " " +
           std::string(name_of(verdict)) + ", and the stage does not see it";
}

/// Drops a witness that leads to something else on the stage.
void forget_find(Explored& explored, const char* why) {
    const Verdict was = std::exchange(explored.result.verdict, Verdict::unknown);
    explored.result.why_unknown = why;
    explored.result.witness = Path();
    for (Proof& proof : explored.proofs) {
        if (proof.verdict != was) continue;
        proof.verdict = Verdict::unknown;
        proof.why_unknown = why;
    }
    explored.scene.reset();
    explored.judgement.reset();
}

}  // namespace

std::string cause_of(const Explored& explored) {
    if (!explored.judgement) return "";
    for (const Violation& violation : explored.judgement->violations) {
        if (is_searched(violation)) return std::string(name_of(violation.cause));
    }
    return "";
}

void show_witness(Explored& explored, const std::filesystem::path& folder) {
    const Verdict verdict = explored.result.verdict;
    if (verdict != Verdict::violated && verdict != Verdict::stuck) return;
    const Path& witness = explored.result.witness;
    const Find find =
        verdict == Verdict::stuck
            ? find_of(*explored.algorithm, explored.bounds, witness, explored.result.stuck->client)
            : find_of(*explored.algorithm, explored.bounds, witness, false);
    const std::string trouble = play_and_judge(explored, find);
    // On the stage, unlike in the search, the background task goes on.
    if (!trouble.empty() && explored.result.has_ghosts) return forget_find(explored, kGhosts);
    if (!trouble.empty()) throw std::runtime_error(trouble + ": this is a bug of locklab");
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

/// How many of the schedules made were violated.
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

/// The verdict, and at once what it rests on, or that a client waits for the lock until its TTL
/// though nothing failed.
std::string verdict_text(const Explored& explored) {
    std::string verdict(name_of(explored.result.verdict));
    const bool counts_on_others =
        explored.result.verdict == Verdict::holds && explored.result.counts_on_waiters;
    if (counts_on_others) verdict += ", if all who were refused try on";
    const Duration wait = wait_without_fault(explored);
    if (wait == Duration::zero()) return verdict;
    return verdict + ", and though nothing fails, a client waits " + to_string(wait) +
           in_ttls(wait, explored.bounds) + " for a lock that nobody holds";
}

/// Which client never gets the lock, and what was tried.
std::string stuck_text(const Explored& explored) {
    const ClientId stuck = explored.result.stuck->client;
    if (stuck.value == explored.bounds.clients) {
        return "  The last client comes when all others are gone, and never gets the lock.\n";
    }
    const std::string name = client_name(stuck);
    return "  " + name + " is alive and tries on, no more fault strikes, and " + name +
           " never gets the lock:\n  not alone, as here, and not where all who are alive try on.\n";
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

/// What would lead to a verdict.
std::string advice(const SearchResult& result) {
    if (result.why_unknown != kOutOfMemory) return "";
    return "; right would be more (--memory, in MiB), or smaller bounds (--clients, --rounds, "
           "--attempts)";
}

}  // namespace

std::string explored_text(const Explored& explored) {
    const SearchResult& result = explored.result;
    std::string text = std::string(explored.algorithm->name) + ": " + verdict_text(explored) +
                       "\n" + bounds_text(explored) + lengths_text(explored) +
                       claims_text(explored) + "  " + work_text(explored) + deepened_text(explored);
    if (!result.why_unknown.empty())
        text += "  unknown: " + result.why_unknown + advice(result) + "\n";
    if (explored.violated_schedules) text += count_text(explored);
    if (explored.seed) {
        text += "  not looked for: clients that are stuck; --strategy exhaustive or plain does\n";
    }
    text += findings_text(explored);
    if (explored.odds) text += odds_text(explored);
    const bool tells_coverage = explored.exercised || !explored.proofs.empty();
    if (tells_coverage && !explored.scene) text += coverage_text(explored);
    if (!explored.scene) return text;
    text += witness_title(explored) + "\n" + to_text(make_timeline(*explored.scene));
    if (result.verdict == Verdict::stuck) text += stuck_text(explored);
    return text + "  replay: " + explored.replay + "\n";
}

std::size_t faults_in(const Path& witness) {
    std::size_t count = 0;
    for (const Step& step : witness.steps) count += is_fault(step) ? 1 : 0;
    for (const std::int16_t clock : witness.clocks) count += clock != 0 ? 1 : 0;
    return count;
}

Verdict gravest_of(const std::vector<Explored>& all) {
    Verdict gravest = Verdict::holds;
    for (const Explored& explored : all) {
        const Verdict its = explored.result.verdict;
        if (is_graver(its, gravest)) gravest = its;
    }
    return gravest;
}

}  // namespace locklab
