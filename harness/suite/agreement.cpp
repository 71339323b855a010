#include "harness/suite/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "harness/record/row_io.h"

namespace locklab {

namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    return text;
}

std::string counted_runs(const SuiteCellRow& row) {
    return std::to_string(row.cell.violated_runs) + " violated and " +
           std::to_string(row.cell.stuck) + " stuck of " + std::to_string(row.cell.runs) + " runs";
}

/// What the simulator's rate lets one expect of the live runs.
std::string missed(const SuiteCellRow& sim, const SuiteCellRow& live) {
    const double share = static_cast<double>(sim.cell.violated_runs + sim.cell.stuck) /
                         static_cast<double>(sim.cell.runs);
    const std::uint64_t runs = live.cell.runs;
    const double missing = std::pow(1 - share, static_cast<double>(runs));
    std::string text = "In sim " + percent(share) + " of the runs show it; " +
                       std::to_string(runs) + " live runs all miss that with probability " +
                       percent(missing) + ".";
    if (missing < 0.01) text += " Chance does not explain it: the worlds differ here.";
    if (sim.hazard == Hazard::retry) {
        text +=
            " Live, a command times out after a fifth of the TTL, in sim after a tenth: what is "
            "sent again then finds the next holder less often.";
    }
    if (restarts_server(sim.hazard)) {
        text += " Live, one restart strikes all runs under way, at a moment of one of them.";
    }
    return text;
}

std::string why_different(const SuiteCellRow& sim, const SuiteCellRow& live) {
    if (live.cell.verdict == Verdict::unknown) return "Live: " + live.cell.why_unknown + ".";
    if (sim.cell.verdict == Verdict::unknown) return "Sim: " + sim.cell.why_unknown + ".";
    if (live.cell.verdict == Verdict::holds) return missed(sim, live);
    if (sim.cell.verdict != Verdict::holds) {
        return "Both break, in different ways: sim " + counted_runs(sim) + ", live " +
               counted_runs(live) + ".";
    }
    return "The real Redis showed what the simulator did not: " + counted_runs(live) + "; see " +
           std::filesystem::path(live.witness).filename().string() + ".";
}

}  // namespace

template <class Io, RowOf<AgreementRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("hazard", row.hazard);
    io("sim", row.sim);
    io("live", row.live);
    io("agree", row.agree);
    io("why", row.why);
}

std::vector<AgreementRow> agreement_of(const std::vector<SuiteCellRow>& sim_cells,
                                       const std::vector<SuiteCellRow>& live_cells) {
    std::vector<AgreementRow> rows;
    for (const SuiteCellRow& sim : sim_cells) {
        const auto live = std::ranges::find_if(live_cells, [&](const SuiteCellRow& cell) {
            return cell.hazard == sim.hazard && cell.cell.algorithm == sim.cell.algorithm;
        });
        if (live == live_cells.end()) continue;
        const bool agree = sim.cell.verdict == live->cell.verdict;
        rows.push_back({sim.cell.algorithm, sim.hazard, sim.cell.verdict, live->cell.verdict, agree,
                        agree ? "" : why_different(sim, *live)});
    }
    return rows;
}

nlohmann::ordered_json to_json(const AgreementRow& row) { return written_row(row); }

}  // namespace locklab
