#include "harness/play/proof_text.h"

#include "harness/core/counted.h"
#include "harness/core/fault_text.h"

namespace locklab {

namespace {

std::string phases_text(const Coverage& coverage, Hazard hazard) {
    std::string text;
    for (const Phase phase : kEveryPhase) {
        if (!coverage.has_struck(hazard, phase)) continue;
        text += (text.empty() ? "" : ", ") + std::string(name_of(phase));
    }
    return text;
}

/// ", B has a TTL of 500ms"
std::string unequal_text(const UnequalClients& clients) {
    std::string text;
    for (const ClientOptions& own : clients) {
        text +=
            std::string(", ") + static_cast<char>('A' + own.client.value) + " " + to_string(own);
    }
    return text;
}

}  // namespace

std::string search_text(const Bounds& bounds) {
    return counted(bounds.clients, "client") + ", " + counted(bounds.rounds, "round") + ", " +
           counted(bounds.attempts, "attempt") +
           (bounds.servers == 1 ? "" : ", " + counted(bounds.servers, "server")) +
           (bounds.leaves > 0
                ? ", " + std::to_string(bounds.leaves) + " of them may go without a release"
                : "") +
           unequal_text(bounds.unequal) +
           (bounds.takes_again ? ", each job takes the lock twice" : "") +
           (bounds.any_length ? "" : ", exact lengths");
}

std::string bounds_text(const Explored& explored) {
    const Verdict verdict = explored.result.verdict;
    const bool one = verdict == Verdict::violated || verdict == Verdict::stuck ||
                     explored.proofs.empty() || explored.proofs[0].searches.size() == 1;
    if (one) return "  " + search_text(explored.bounds) + "\n";
    std::string text;
    for (const Searched& searched : explored.proofs[0].searches) {
        text += "  " + search_text(searched.bounds) + "\n";
    }
    return text;
}

std::string claims_text(const Explored& explored) {
    if (explored.proofs.size() < 2) return "  faults " + to_string(explored.bounds.faults) + "\n";
    std::string text = "  what its row claims to survive:\n";
    for (const Proof& proof : explored.proofs) {
        text += "    " + to_string(proof.faults) + ": " + std::string(name_of(proof.verdict)) +
                (proof.why_unknown.empty() ? "" : ", " + proof.why_unknown) + "\n";
    }
    return text;
}

std::string coverage_text(const Explored& explored) {
    const Coverage coverage = coverage_of(explored);
    std::string text = "  exercised:";
    for (const SentCommand& command : coverage.sent) {
        text += (text.back() == ':' ? " " : "; ") + command.shape + " (" +
                std::string(name_of(command.phase)) + ")";
    }
    if (coverage.sent.empty()) text += " no command of Redis";
    for (const HazardRow& row : kHazards) {
        if (!coverage.has_struck(row.hazard)) continue;
        text += "; " + std::string(row.name) + " (" + phases_text(coverage, row.hazard) + ")";
    }
    if (coverage.ran_out) text += "; a time to live ran out";
    if (coverage.ran_out_inside) text += ", also while its holder was inside";
    return text + "\n";
}

Coverage coverage_of(const Explored& explored) {
    Coverage coverage = explored.exercised.value_or(Coverage());
    for (const Proof& proof : explored.proofs) coverage.add(proof.coverage);
    return coverage;
}

}  // namespace locklab
