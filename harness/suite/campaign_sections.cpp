// The suite's cells: every lock under every hazard, in the simulator and on a real Redis.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/registry.h"
#include "harness/campaign/full_runs.h"
#include "harness/campaign/live_campaign.h"
#include "harness/campaign/swarm.h"
#include "harness/campaign/witness.h"
#include "harness/core/counted.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/explore/sim_campaign.h"
#include "harness/live/server_program.h"
#include "harness/record/typed.h"
#include "harness/suite/like_runs.h"
#include "harness/suite/suite.h"

namespace locklab {

namespace {

constexpr Duration kSimTtl = std::chrono::seconds(1);
constexpr Duration kRetry = std::chrono::milliseconds(10);
constexpr std::uint64_t kLiveGrants = 10;

std::vector<const Algorithm*> struck_by(Hazard hazard) {
    std::vector<const Algorithm*> struck;
    for (const Algorithm& algorithm : algorithms()) {
        if (applies(algorithm, hazard)) struck.push_back(&algorithm);
    }
    return struck;
}

/// Those whose cells are to run here.
std::vector<const Algorithm*> locks_here(Hazard hazard, const SuiteContext& context) {
    std::vector<const Algorithm*> locks = struck_by(hazard);
    std::erase_if(locks, [&](const Algorithm* algorithm) {
        return !context.has(piece_of(hazard, algorithm->name));
    });
    return locks;
}

/// "safe", "broken", or "" if the hazard cannot strike the lock.
std::string claim_of(const Algorithm& algorithm, Hazard hazard) {
    if (algorithm.rarely_broken_by.contains(hazard)) return "";
    if (algorithm.safe_under.contains(hazard)) return "safe";
    return algorithm.broken_by.contains(hazard) ? "broken" : "";
}

/// The campaign that gives the same counts again (live: nearly the same), as a command line.
std::string command_of(const Algorithm& algorithm, WorldKind world, Hazard hazard,
                       std::uint64_t runs, const SuiteContext& context) {
    const CampaignOptions options = suite_options(world, hazard);
    const bool live = world == WorldKind::live;
    std::string text = typed_program() + " campaign " + std::string(algorithm.name) + " --faults " +
                       to_string(options.budget);
    if (live) {
        text += " --world live";
    } else {
        text += " --ttl " + to_string(*options.ttl);
    }
    text += " --retry " + to_string(*options.retry) + " --grants-per-run " +
            std::to_string(options.grants_per_run) + " --runs " + std::to_string(runs) +
            " --seed " + std::to_string(context.seed);
    if (live && !context.redis.empty()) text += " --redis " + in_shell(context.redis);
    if (live) text += server_option();
    return text;
}

std::vector<LiveCell> live_cells(Hazard hazard, const LiveServer& server,
                                 const SuiteContext& context) {
    std::vector<LiveCell> cells;
    for (const Algorithm* algorithm : locks_here(hazard, context)) {
        RunSpec spec = spec_for(*algorithm, suite_options(WorldKind::live, hazard));
        // There is only one foreign server.
        if (spec.topology.nodes() > 1 && !server.is_private()) continue;
        cells.emplace_back(std::move(spec), context.size.live_runs);
    }
    return cells;
}

void tell_what_was_disturbed(const std::vector<SuiteCellRow>& cells, const LiveSummary& summary,
                             const SuiteProgress& progress) {
    const auto was_disturbed = [](const SuiteCellRow& row) { return row.cell.disturbed_runs > 0; };
    const auto disturbed =
        static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), was_disturbed));
    std::string text = "up to " + counted(summary.most_at_once, "live run") + " at once";
    if (summary.least_at_once < summary.most_at_once) {
        text += ", and down to " + std::to_string(summary.least_at_once) +
                " where the machine was late";
    }
    if (disturbed > 0) {
        text += "; " + counted(disturbed, "cell lacks", "cells lack") +
                " runs that were disturbed twice";
    }
    progress.tell(text);
}

SuiteCellRow suite_cell(const RunSpec& spec, WorldKind world, Hazard hazard, std::uint64_t runs,
                        const CampaignCount& count, const Witness& witness,
                        const SuiteContext& context) {
    SuiteCellRow row;
    row.world = world;
    row.hazard = hazard;
    row.cell = cell_row(spec, count, witness.replay);
    row.claim = claim_of(*spec.algorithm, hazard);
    row.as_claimed = came_out_as(row.claim, row.cell.verdict);
    const char* folder = world == WorldKind::sim ? "traces/" : "histories/";
    if (!witness.file.empty()) row.witness = folder + witness.file;
    row.command = command_of(*spec.algorithm, world, hazard, runs, context);
    return row;
}

SuiteCellRow live_row(const LiveCell& cell, Hazard hazard, const SuiteContext& context) {
    const Witness witness = write_live_witness(cell, context.folder / "histories");
    return suite_cell(cell.spec, WorldKind::live, hazard, cell.runs, cell.count, witness, context);
}

std::vector<SuiteCellRow> rows_of(std::vector<LiveCell>& cells, Hazard hazard,
                                  const SuiteContext& context) {
    std::vector<SuiteCellRow> rows;
    for (LiveCell& cell : cells) {
        rows.push_back(live_row(cell, hazard, context));
        cell.witness.reset();
    }
    return rows;
}

bool differs_in_sim(const SuiteCellRow& live, const std::vector<SuiteCellRow>& sim_cells) {
    return std::ranges::any_of(sim_cells, [&](const SuiteCellRow& row) {
        const bool agree = row.cell.verdict == live.cell.verdict ||
                           (is_clean(row.cell.verdict) && is_clean(live.cell.verdict));
        return row.hazard == live.hazard && row.cell.algorithm == live.cell.algorithm && !agree;
    });
}

/// For cells with an unexpected verdict, counts similar runs in the simulator. If a declared break
/// was not seen, or a full suite leaves too much open, gives the cell more runs. True: some cell
/// has more.
bool looks_again(const SuiteContext& context, Hazard hazard,
                 const std::vector<SuiteCellRow>& sim_cells, std::vector<LiveCell>& cells,
                 std::vector<SuiteCellRow>& rows) {
    bool goes_on = false;
    for (std::size_t i = 0; i < rows.size() && !context.watcher.stopped(); ++i) {
        LiveCell& cell = cells[i];
        cell.first = cell.runs;
        if (context.size.is_full()) goes_on = give_more_runs(cell) || goes_on;
        if (rows[i].as_claimed && !differs_in_sim(rows[i], sim_cells)) continue;
        rows[i].like =
            like_runs_of(cell.spec, context.size.sim_runs, context.seed, *context.watcher.stop);
        const bool unseen = rows[i].claim == "broken" && is_clean(rows[i].cell.verdict);
        if (!unseen || context.size.is_tried_out() || is_one_of_a_batch(hazard)) continue;
        cell.runs = std::max(cell.runs, runs_to_see(*rows[i].like));
        goes_on = goes_on || cell.first < cell.runs;
    }
    return goes_on;
}

/// Updates the rows of cells that had more runs.
void count_again(const SuiteContext& context, Hazard hazard, const std::vector<LiveCell>& cells,
                 std::vector<SuiteCellRow>& rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].first == cells[i].runs) continue;
        std::optional<LikeRuns> like = std::move(rows[i].like);
        rows[i] = live_row(cells[i], hazard, context);
        rows[i].like = std::move(like);
    }
}

}  // namespace

std::uint64_t piece_of(Hazard hazard, std::string_view algorithm) {
    std::uint64_t piece = 0;
    for (const HazardRow& row : kSimulatedHazards) {
        for (const Algorithm* each : struck_by(row.hazard)) {
            if (row.hazard == hazard && each->name == algorithm) return piece;
            ++piece;
        }
    }
    return piece;
}

CampaignOptions suite_options(WorldKind world, Hazard hazard) {
    CampaignOptions options;
    options.world = world;
    options.retry = kRetry;
    if (world == WorldKind::sim) options.ttl = kSimTtl;
    if (world == WorldKind::live) options.grants_per_run = kLiveGrants;
    if (hazard != kNoFault) options.budget[hazard] = 1;
    return options;
}

std::optional<SuiteCellRow> sim_cell(const Algorithm& algorithm, Hazard hazard,
                                     const SuiteContext& context) {
    const CampaignGoal goal{context.seed, ~std::uint64_t{0}, context.size.sim_runs,
                            context.size.is_full()};
    const RunSpec spec = spec_for(algorithm, suite_options(WorldKind::sim, hazard));
    const CampaignCount count = run_sim_campaign(spec, goal, *context.watcher.stop, {});
    if (context.watcher.stopped()) return std::nullopt;
    const Witness witness = write_sim_witness(spec, count, context.seed, context.folder / "traces");
    return suite_cell(spec, WorldKind::sim, hazard, count.tally().runs(), count, witness, context);
}

void run_sim_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                     SuiteResult& result) {
    std::size_t all = 0;
    for (const HazardRow& row : kSimulatedHazards) all += locks_here(row.hazard, context).size();
    for (const HazardRow& row : kSimulatedHazards) {
        const std::size_t first = result.sim_cells.size();
        for (const Algorithm* algorithm : locks_here(row.hazard, context)) {
            progress.show(std::string(row.name) + ", " + std::string(algorithm->name),
                          result.sim_cells.size(), all);
            auto cell = sim_cell(*algorithm, row.hazard, context);
            if (!cell) return;
            result.sim_cells.push_back(std::move(*cell));
        }
        progress.decided(std::span(result.sim_cells).subspan(first));
        progress.can_draw();
    }
}

void run_live_section(const SuiteContext& context, SuiteServer& servers, SuiteProgress& progress,
                      SuiteResult& result) {
    LiveServer* const found = servers.get();
    if (found == nullptr) {
        result.missing.push_back({"live runs", servers.why_not()});
        return;
    }
    LiveServer& server = *found;
    result.redis = server.version();
    std::vector<Hazard> hazards;
    std::vector<std::vector<LiveCell>> campaigns;
    for (const HazardRow& row : kSimulatedHazards) {
        const bool is_made = is_made_in(FaultWorld::live, row.hazard);
        if (!is_made || (strikes_whole_server(row.hazard) && !server.is_private())) continue;
        hazards.push_back(row.hazard);
        campaigns.push_back(live_cells(row.hazard, server, context));
    }
    // Whichever is finished first, the rows are in the order of the hazards.
    std::vector<std::vector<SuiteCellRow>> rows(hazards.size());
    const auto gather = [&] {
        result.live_cells.clear();
        for (const auto& each : rows) {
            result.live_cells.insert(result.live_cells.end(), each.begin(), each.end());
        }
    };
    LiveNews news;
    news.progress = [&](std::size_t done, std::size_t all) {
        progress.show("runs of all hazards", done, all);
    };
    news.finished = [&](std::size_t i) {
        rows[i] = rows_of(campaigns[i], hazards[i], context);
        gather();
        progress.decided(rows[i]);
    };
    const auto run = [&] {
        const LiveSummary summary =
            run_live_campaigns(campaigns, context.seed, server, *context.watcher.stop, news);
        if (!summary.keys_left.empty()) progress.tell(summary.keys_left);
        if (context.watcher.stopped()) return false;
        tell_what_was_disturbed(result.live_cells, summary, progress);
        return true;
    };
    if (!run()) return;
    bool goes_on = false;
    for (std::size_t i = 0; i < hazards.size(); ++i) {
        const bool more = looks_again(context, hazards[i], result.sim_cells, campaigns[i], rows[i]);
        goes_on = goes_on || more;
    }
    news.finished = [&](std::size_t i) { count_again(context, hazards[i], campaigns[i], rows[i]); };
    if (goes_on && !context.watcher.stopped()) run();
    gather();
}

}  // namespace locklab
