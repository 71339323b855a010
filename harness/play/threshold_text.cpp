#include "harness/play/threshold_text.h"

#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/play/finding.h"
#include "harness/play/proof_text.h"

namespace locklab {

namespace {

std::string joined(const std::vector<FaultBudget>& sets) {
    std::string text;
    for (const FaultBudget& set : sets) text += (text.empty() ? "" : "; ") + to_string(set);
    return text;
}

std::string_view name_of(Goal goal) {
    return goal == Goal::progress ? "progress" : "mutual exclusion";
}

/// One fault of each kind that has no outage.
FaultBudget every_size() {
    FaultBudget all;
    for (const HazardRow& row : kHazards) {
        if (row.size != FaultSize::outage) all[row.hazard] = 1;
    }
    return all;
}

}  // namespace

std::string thresholds_text(const Thresholds& found) {
    std::string text =
        std::string(found.algorithm->name) + ", " + std::string(name_of(found.goal)) + "\n";
    if (found.minimal.empty()) text += "  nothing that was searched breaks it\n";
    for (const Threshold& threshold : found.minimal) {
        text += "  broken by " + to_string(threshold.faults) + ": " +
                std::to_string(threshold.witness.steps.size()) + " steps";
        if (threshold.least) {
            text += "; from " + to_string(*threshold.least) + " on";
            const bool longer = threshold.least_steps > threshold.witness.steps.size();
            if (longer) text += ", in " + std::to_string(threshold.least_steps) + " steps";
        }
        text += "\n";
    }
    text += "  harmless, exhausted: " + std::to_string(found.harmless.size()) + " sets";
    if (found.harmless.size() <= 14) text += " (" + joined(found.harmless) + ")";
    text += "\n";
    for (const Bounds& bounds : found.searches) text += "    in " + search_text(bounds) + "\n";
    text += "  " + lengths_text(found.searches.front(), every_size());
    if (!found.harmless_briefly.empty()) {
        text += "  harmless in " + search_text(brief_searches(found.searches).front()) +
                " (they break exclusion): " + std::to_string(found.harmless_briefly.size()) +
                " sets\n";
    }
    if (found.counts_on_waiters) text += kCountsOnWaiters;
    for (const UnknownSet& set : found.unknown) {
        text += "  not known: " + to_string(set.faults) + " (" + set.why + ")\n";
    }
    if (!found.complete) text += "  interrupted: larger sets were not searched\n";
    return text;
}

std::vector<Explored> threshold_witnesses(const Thresholds& found,
                                          const std::filesystem::path& folder) {
    std::vector<Explored> witnesses;
    for (const Threshold& threshold : found.minimal) {
        Explored& explored = witnesses.emplace_back();
        explored.algorithm = found.algorithm;
        explored.bounds = threshold.bounds;
        explored.result.verdict = threshold.verdict;
        explored.result.witness = threshold.witness;
        if (threshold.stuck) explored.result.stuck = {threshold.witness, *threshold.stuck};
        show_witness(explored, folder);
    }
    return witnesses;
}

}  // namespace locklab
