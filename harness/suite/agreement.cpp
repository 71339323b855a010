#include "harness/suite/agreement.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "harness/campaign/swarm.h"
#include "harness/record/row_io.h"
#include "harness/suite/like_runs.h"

namespace locklab {

namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    return text;
}

/// A difference that chance gives more rarely counts as real.
constexpr double kSeldom = 0.01;

std::string counted_runs(std::uint64_t violated, std::uint64_t stuck, std::uint64_t runs) {
    return std::to_string(violated) + " violated and " + std::to_string(stuck) + " stuck of " +
           std::to_string(runs) + " runs";
}

/// Probability that one world shows some failures of a kind and the other none, if both are alike.
double chance_of_one(std::uint64_t sim, std::uint64_t sim_runs, std::uint64_t live,
                     std::uint64_t live_runs) {
    if ((sim > 0) == (live > 0)) return 1;
    return sim > 0 ? chance_of_none(sim, sim_runs, live_runs)
                   : chance_of_none(live, live_runs, sim_runs);
}

std::optional<double> chance_of(const SuiteCellRow& live) {
    if (!live.like || is_one_of_a_batch(live.hazard)) return std::nullopt;
    const LikeRuns& like = *live.like;
    const CellRow& cell = live.cell;
    return std::min(chance_of_one(like.violated, like.runs, cell.violated_runs, cell.runs),
                    chance_of_one(like.stuck, like.runs, cell.stuck, cell.runs));
}

std::string why_different(const SuiteCellRow& live, const std::optional<double>& chance) {
    std::string text =
        "Live " + counted_runs(live.cell.violated_runs, live.cell.stuck, live.cell.runs) + ".";
    if (!live.like) return text + " No runs in sim were like these.";
    text = "Of runs in sim with the same TTL, grants and time-outs as the live ones, " +
           counted_runs(live.like->violated, live.like->stuck, live.like->runs) + ". " + text;
    if (!chance) {
        return text +
               " One such fault strikes all live runs under way, so that these are not "
               "independent, and what chance would give is not known.";
    }
    if (*chance == 1) return text + " Such runs fail in the same ways in both worlds.";
    const std::string share = *chance < 0.0005 ? "less than 0.1 %" : percent(*chance);
    return text + " If both worlds were alike, chance would give that in " + share + " of cases.";
}

std::string why_undecided(const SuiteCellRow& sim, const SuiteCellRow& live) {
    const bool is_live = live.cell.verdict == Verdict::unknown;
    return (is_live ? "Live: " + live.cell.why_unknown : "Sim: " + sim.cell.why_unknown) + ".";
}

AgreementRow compared(const SuiteCellRow& sim, const SuiteCellRow& live) {
    AgreementRow row;
    row.algorithm = sim.cell.algorithm;
    row.hazard = sim.hazard;
    row.sim = sim.cell.verdict;
    row.live = live.cell.verdict;
    row.decided = row.sim != Verdict::unknown && row.live != Verdict::unknown;
    // A clean world with too few runs to say "holds" does not differ from one that holds.
    const bool are_clean = is_clean(row.sim) && is_clean(row.live);
    row.agree = row.decided && (row.sim == row.live || are_clean);
    if (!row.decided) row.why = why_undecided(sim, live);
    if (!row.decided || row.agree) return row;
    row.chance = chance_of(live);
    row.explained = row.chance && *row.chance >= kSeldom;
    row.why = why_different(live, row.chance);
    return row;
}

}  // namespace

template <class Io, RowOf<AgreementRow> Row>
void fields(Io& io, Row& row) {
    io("algorithm", row.algorithm);
    io("hazard", row.hazard);
    io("sim", row.sim);
    io("live", row.live);
    io("decided", row.decided);
    io("agree", row.agree);
    io("chance", row.chance);
    io("explained", row.explained);
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
        rows.push_back(compared(sim, *live));
    }
    return rows;
}

nlohmann::ordered_json to_json(const AgreementRow& row) { return written_row(row); }

}  // namespace locklab
