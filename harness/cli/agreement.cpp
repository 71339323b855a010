#include "harness/cli/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/core/hazard.h"

namespace locklab {

namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    return text;
}

std::string verdict_of(const Json& cell) { return cell.at("verdict"); }

std::uint64_t number(const Json& cell, const char* key) { return cell.at(key); }

std::string counted(const Json& cell) {
    return std::to_string(number(cell, "violated_runs")) + " violated and " +
           std::to_string(number(cell, "stuck")) + " stuck of " +
           std::to_string(number(cell, "runs")) + " runs";
}

/// What the simulator's rate lets one expect of the live runs.
std::string missed(const Json& sim, const Json& live) {
    const double share = static_cast<double>(number(sim, "violated_runs") + number(sim, "stuck")) /
                         static_cast<double>(number(sim, "runs"));
    const std::uint64_t runs = number(live, "runs");
    const double missing = std::pow(1 - share, static_cast<double>(runs));
    std::string text = "In sim " + percent(share) + " of the runs show it; " +
                       std::to_string(runs) + " live runs all miss that with probability " +
                       percent(missing) + ".";
    if (missing < 0.01) text += " Chance does not explain it: the worlds differ here.";
    if (sim.at("hazard") == name_of(Hazard::retry)) {
        text +=
            " Live, a command times out after a fifth of the TTL, in sim after a tenth: what is "
            "sent again then finds the next holder less often.";
    }
    if (sim.at("hazard") == name_of(Hazard::restart)) {
        text += " Live, one restart strikes all runs under way, at a moment of one of them.";
    }
    return text;
}

std::string why(const Json& sim, const Json& live) {
    const auto because = [](const Json& cell) { return cell.at("why_unknown").get<std::string>(); };
    if (verdict_of(live) == "unknown") return "Live: " + because(live) + ".";
    if (verdict_of(sim) == "unknown") return "Sim: " + because(sim) + ".";
    if (verdict_of(live) == "holds") return missed(sim, live);
    if (verdict_of(sim) != "holds") {
        return "Both break, in different ways: sim " + counted(sim) + ", live " + counted(live) +
               ".";
    }
    const std::filesystem::path witness = live.at("witness").get<std::string>();
    return "The real Redis showed what the simulator did not: " + counted(live) + "; see " +
           witness.filename().string() + ".";
}

}  // namespace

Json agreement_json(const Json& sim_cells, const Json& live_cells) {
    Json rows = Json::array();
    for (const Json& sim : sim_cells) {
        const auto live = std::find_if(live_cells.begin(), live_cells.end(), [&](const Json& cell) {
            return cell.at("hazard") == sim.at("hazard") &&
                   cell.at("algorithm") == sim.at("algorithm");
        });
        if (live == live_cells.end()) continue;
        const bool agree = verdict_of(sim) == verdict_of(*live);
        rows.push_back({{"algorithm", sim.at("algorithm")},
                        {"hazard", sim.at("hazard")},
                        {"sim", sim.at("verdict")},
                        {"live", live->at("verdict")},
                        {"agree", agree},
                        {"why", agree ? "" : why(sim, *live)}});
    }
    return rows;
}

}  // namespace locklab
