#include <algorithm>

#include "algorithms/registry.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/suite.h"
#include "harness/cli/typed.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"

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

bool is_broken(Verdict verdict) {
    return verdict == Verdict::violated || verdict == Verdict::stuck;
}

}  // namespace

std::string_view SuiteCell::claim() const {
    if (spec.algorithm->safe_under.contains(hazard)) return "safe";
    return spec.algorithm->broken_by.contains(hazard) ? "broken" : "";
}

bool SuiteCell::as_claimed() const {
    const Verdict verdict = count.verdict();
    const bool safe = claim() == "safe";
    if (world == WorldKind::live) return !safe || !is_broken(verdict);
    return safe ? verdict == Verdict::holds : is_broken(verdict);
}

CampaignOptions suite_options(WorldKind world, Hazard hazard) {
    CampaignOptions options;
    options.world = world;
    options.retry = kRetry;
    if (world == WorldKind::sim) options.ttl = kSimTtl;
    if (world == WorldKind::live) options.grants_per_run = kLiveGrants;
    if (hazard != Hazard::contention) options.budget[hazard] = 1;
    return options;
}

std::string suite_command(const SuiteCell& cell, const SuiteContext& context) {
    const CampaignOptions options = suite_options(cell.world, cell.hazard);
    const bool live = cell.world == WorldKind::live;
    std::string text = typed_program() + " campaign " + std::string(cell.spec.algorithm->name) +
                       " --faults " + to_string(options.budget);
    if (live) {
        text += " --world live";
    } else {
        text += " --ttl " + to_string(*options.ttl);
    }
    text += " --retry " + to_string(*options.retry) + " --grants-per-run " +
            std::to_string(options.grants_per_run) + " --runs " +
            std::to_string(live ? context.size.live_runs : context.size.sim_runs) + " --seed " +
            std::to_string(context.seed);
    if (live && !context.redis.empty()) text += " --redis " + in_shell(context.redis);
    return text;
}

void run_sim_section(const SuiteContext& context, SuiteServer&, SuiteProgress& progress,
                     SuiteResult& result) {
    const CampaignGoal goal{context.seed, ~std::uint64_t{0}, context.size.sim_runs};
    std::size_t all = 0;
    for (const HazardRow& row : kHazards) all += struck_by(row.hazard).size();
    for (const HazardRow& row : kHazards) {
        const std::size_t first = result.sim_cells.size();
        for (const Algorithm* algorithm : struck_by(row.hazard)) {
            progress.show(std::string(row.name) + ", " + std::string(algorithm->name),
                          result.sim_cells.size(), all);
            RunSpec spec = spec_for(*algorithm, suite_options(WorldKind::sim, row.hazard));
            CampaignCount count = run_sim_campaign(spec, goal, interrupt_flag(), {});
            if (interrupt_flag()) return;
            Witness witness =
                write_sim_witness(spec, count, context.seed, context.folder / "traces");
            result.sim_cells.push_back(suite_cell_json(
                {std::move(spec), WorldKind::sim, row.hazard, std::move(count), std::move(witness)},
                context));
        }
        progress.decided(result.sim_cells, first);
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
    const auto possible = [&server](const HazardRow& row) {
        return row.live && (row.hazard != Hazard::restart || server.is_private());
    };
    const auto hazards = static_cast<std::size_t>(std::ranges::count_if(kHazards, possible));
    std::size_t done_hazards = 0;
    for (const HazardRow& row : kHazards) {
        if (!possible(row)) continue;
        std::vector<LiveCell> cells;
        for (const Algorithm* algorithm : struck_by(row.hazard)) {
            RunSpec spec = spec_for(*algorithm, suite_options(WorldKind::live, row.hazard));
            // Somebody's server is one.
            if (spec.topology.masters > 1 && !server.is_private()) continue;
            cells.emplace_back(std::move(spec), context.size.live_runs);
        }
        const std::string keys_left =
            run_live_campaign(cells, context.seed, server, [&](std::size_t done, std::size_t all) {
                progress.show(std::string(row.name), done_hazards * all + done, hazards * all);
            });
        ++done_hazards;
        if (!keys_left.empty()) std::fprintf(stderr, "locklab: %s\n", keys_left.c_str());
        if (interrupt_flag()) return;
        const std::size_t first = result.live_cells.size();
        for (LiveCell& cell : cells) {
            Witness witness = write_live_witness(cell, context.folder / "histories");
            result.live_cells.push_back(
                suite_cell_json({std::move(cell.spec), WorldKind::live, row.hazard,
                                 std::move(cell.count), std::move(witness)},
                                context));
        }
        progress.decided(result.live_cells, first);
    }
}

}  // namespace locklab
