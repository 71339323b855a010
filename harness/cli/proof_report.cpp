#include "harness/cli/proof_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/counted.h"
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

Coverage coverage_of(const Explored& explored) {
    Coverage coverage = explored.exercised.value_or(Coverage());
    for (const Proof& proof : explored.proofs) coverage.add(proof.coverage);
    return coverage;
}

}  // namespace

std::string search_text(const Bounds& bounds) {
    return counted(bounds.clients, "client") + ", " + counted(bounds.rounds, "round") + ", " +
           counted(bounds.attempts, "attempt") +
           (bounds.leaves > 0
                ? ", " + std::to_string(bounds.leaves) + " of them may go without a release"
                : "") +
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

nlohmann::ordered_json search_json(const Bounds& bounds) {
    nlohmann::ordered_json json;
    json["clients"] = bounds.clients;
    json["rounds"] = bounds.rounds;
    json["attempts"] = bounds.attempts;
    json["leaves"] = bounds.leaves;
    json["takes_again"] = bounds.takes_again;
    return json;
}

nlohmann::ordered_json coverage_json(const Coverage& coverage) {
    nlohmann::ordered_json json;
    json["sent"] = nlohmann::ordered_json::array();
    for (const SentCommand& command : coverage.sent) {
        json["sent"].push_back({{"command", command.shape}, {"phase", name_of(command.phase)}});
    }
    json["struck"] = nlohmann::ordered_json::object();
    for (const HazardRow& row : kHazards) {
        if (!coverage.has_struck(row.hazard)) continue;
        nlohmann::ordered_json& phases = json["struck"][std::string(row.name)];
        phases = nlohmann::ordered_json::array();
        for (const Phase phase : kEveryPhase) {
            if (coverage.has_struck(row.hazard, phase)) phases.push_back(name_of(phase));
        }
    }
    json["sets_ttl"] = coverage.sets_ttl;
    json["ttl_ran_out"] = coverage.ran_out;
    json["ttl_ran_out_inside"] = coverage.ran_out_inside;
    return json;
}

void add_proofs(const Explored& explored, nlohmann::ordered_json& json) {
    if (explored.exercised || !explored.proofs.empty()) {
        json["coverage"] = coverage_json(coverage_of(explored));
    }
    if (explored.proofs.empty()) return;
    json["vacuous"] = std::any_of(explored.proofs.begin(), explored.proofs.end(),
                                  [](const Proof& proof) { return proof.vacuous; });
    json["proofs"] = nlohmann::ordered_json::array();
    for (const Proof& proof : explored.proofs) {
        nlohmann::ordered_json row;
        row["faults"] = to_string(proof.faults);
        row["verdict"] = name_of(proof.verdict);
        row["vacuous"] = proof.vacuous;
        row["missing"] = proof.missing;
        row["why_unknown"] = nullptr;
        if (!proof.why_unknown.empty()) row["why_unknown"] = proof.why_unknown;
        row["coverage"] = coverage_json(proof.coverage);
        row["searches"] = nlohmann::ordered_json::array();
        for (const Searched& searched : proof.searches) {
            nlohmann::ordered_json search = search_json(searched.bounds);
            search["verdict"] = name_of(searched.result.verdict);
            search["exhausted"] = searched.result.exhausted;
            search["states"] = searched.result.states;
            search["steps"] = searched.result.steps;
            search["depth"] = searched.result.depth;
            search["digest"] = searched.result.digest;
            search["seconds"] = searched.seconds;
            row["searches"].push_back(std::move(search));
        }
        json["proofs"].push_back(std::move(row));
    }
}

}  // namespace locklab
