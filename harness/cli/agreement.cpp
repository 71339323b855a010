#include "harness/cli/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace locklab {

namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    return text;
}

std::string counted(const CampaignCount& count) {
    return std::to_string(count.tally().violated_runs()) + " violated and " +
           std::to_string(count.tally().stuck_runs()) + " stuck of " +
           std::to_string(count.tally().runs()) + " runs";
}

/// What the simulator's rate lets one expect of the live runs.
std::string missed(const SuiteCell& sim, const SuiteCell& live) {
    const Tally& tally = sim.count.tally();
    const double share = static_cast<double>(tally.violated_runs() + tally.stuck_runs()) /
                         static_cast<double>(tally.runs());
    const auto runs = static_cast<double>(live.count.tally().runs());
    const double missing = std::pow(1 - share, runs);
    std::string text = "In sim " + percent(share) + " of the runs show it; " +
                       std::to_string(live.count.tally().runs()) +
                       " live runs all miss that with probability " + percent(missing) + ".";
    if (missing < 0.01) text += " Chance does not explain it: the worlds differ here.";
    if (sim.hazard == Hazard::retry) {
        text +=
            " Live, a command times out after a fifth of the TTL, in sim after a tenth: what is "
            "sent again then finds the next holder less often.";
    }
    if (sim.hazard == Hazard::restart) {
        text += " Live, one restart strikes all runs under way, at a moment of one of them.";
    }
    return text;
}

std::string why(const SuiteCell& sim, const SuiteCell& live) {
    const Verdict in_sim = sim.count.verdict();
    const Verdict in_live = live.count.verdict();
    if (in_live == Verdict::unknown) return "Live: " + live.count.why_unknown() + ".";
    if (in_sim == Verdict::unknown) return "Sim: " + sim.count.why_unknown() + ".";
    if (in_live == Verdict::holds) return missed(sim, live);
    if (in_sim != Verdict::holds) {
        return "Both break, in different ways: sim " + counted(sim.count) + ", live " +
               counted(live.count) + ".";
    }
    return "The real Redis showed what the simulator did not: " + counted(live.count) + "; see " +
           live.witness.file + ".";
}

}  // namespace

nlohmann::ordered_json agreement_json(const std::vector<SuiteCell>& cells) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const SuiteCell& sim : cells) {
        if (sim.world != WorldKind::sim) continue;
        const auto live = std::find_if(cells.begin(), cells.end(), [&](const SuiteCell& cell) {
            return cell.world == WorldKind::live && cell.hazard == sim.hazard &&
                   cell.spec.algorithm == sim.spec.algorithm;
        });
        if (live == cells.end()) continue;
        const bool agree = sim.count.verdict() == live->count.verdict();
        rows.push_back({{"algorithm", sim.spec.algorithm->name},
                        {"hazard", name_of(sim.hazard)},
                        {"sim", name_of(sim.count.verdict())},
                        {"live", name_of(live->count.verdict())},
                        {"agree", agree},
                        {"why", agree ? "" : why(sim, *live)}});
    }
    return rows;
}

}  // namespace locklab
