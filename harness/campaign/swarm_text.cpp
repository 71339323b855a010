#include "harness/campaign/swarm_text.h"

#include "harness/core/duration_text.h"

namespace locklab {

namespace {

/// This many subsets fit on a screen.
constexpr std::size_t kMostSubsets = 16;

/// "12 of 40".
std::string part_text(std::uint64_t some, std::uint64_t all) {
    return std::to_string(some) + " of " + std::to_string(all);
}

/// "violated 12 of 40, stuck 3".
std::string swarm_outcome(const SwarmCount::Row& row) {
    std::string text = "violated " + part_text(row.violated, row.runs);
    if (row.stuck > 0) text += ", stuck " + std::to_string(row.stuck);
    return text;
}

std::string swarm_causes(const SwarmCount::Row& row) {
    std::string text;
    for (const CauseRow& cause : kCauses) {
        if (row.causes[cause.cause] == 0) continue;
        text += (text.empty() ? " (" : ", ") + std::string(cause.name) + " " +
                std::to_string(row.causes[cause.cause]);
    }
    return text.empty() ? text : text + ")";
}

}  // namespace

std::string to_string(const HazardSet& hazards) {
    std::string text;
    for (const HazardRow& row : kHazards) {
        if (!hazards.contains(row.hazard)) continue;
        text += (text.empty() ? "" : ", ") + std::string(row.name);
    }
    return text.empty() ? "none" : text;
}

std::string swarm_text(const FaultBudget& budget, const SwarmCount& swarm) {
    std::string text = "\n  runs by what was drawn for them";
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        const SwarmCount::FaultRow& fault = swarm.of(row.hazard);
        text += "\n    with " + std::string(row.name) + ": " + swarm_outcome(fault.with) +
                swarm_causes(fault.with) + "; without: " + swarm_outcome(fault.without) +
                swarm_causes(fault.without);
    }
    for (const auto& [clients, row] : swarm.clients()) {
        text += "\n    " + std::to_string(clients) + " clients: " + swarm_outcome(row);
    }
    for (const auto& [ttl, row] : swarm.ttls()) {
        text += "\n    TTL " + to_string(ttl) + ": " + swarm_outcome(row);
    }
    if (swarm.subsets().size() <= kMostSubsets) {
        for (const auto& [subset, row] : swarm.subsets()) {
            text += "\n    faults " + to_string(hazards_in(subset)) + ": " + swarm_outcome(row) +
                    swarm_causes(row);
        }
    }
    if (const auto& fewest = swarm.fewest()) {
        text += "\n    fewest faults that struck in a violated run: " + to_string(fewest->struck) +
                ", as in run " + std::to_string(fewest->run);
    }
    return text;
}

}  // namespace locklab
