#include "harness/suite/table_cell.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <stdexcept>

#include "harness/campaign/foreign_campaign.h"
#include "harness/campaign/foreign_spec.h"
#include "harness/check/baseline.h"
#include "harness/core/duration_text.h"
#include "harness/core/fault_text.h"
#include "harness/foreign/play_faults.h"
#include "harness/foreign/virtual_search.h"
#include "harness/record/digest.h"
#include "harness/record/stopwatch.h"
#include "harness/record/typed.h"
#include "harness/suite/table_fields.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

std::string today() {
    const std::time_t now = std::time(nullptr);  // outside any run
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

/// A set breaks every lease if one of its faults does.
std::string why_baseline_of(const FaultBudget& faults, const Subject& subject) {
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0) continue;
        const std::string_view why = why_baseline(row.hazard, {subject.row().renews, false});
        if (!why.empty()) return std::string(why);
    }
    return {};
}

void count_find(const VirtualFind& find, TableCell& cell) {
    CampaignCount count(FaultBudget(), Duration::zero());
    count.add(report_run(find.play.history));
    cell.causes = count.tally().causes();
    cell.verdict = Verdict::violated;
    cell.broken_runs = 1;
    if (find.proves_again) return;
    cell.verdict = Verdict::unknown;
    cell.why_unknown = find.was_stopped ? "it was interrupted before a find was played again"
                                        : "an overlap was proved once, and never came again";
    if (!find.trouble.empty()) cell.why_unknown = find.trouble;
}

/// That nobody is granted a lock while its only server hangs is no news.
void note_hangs(const Hangs& hangs, std::uint32_t servers, TableCell& cell) {
    if (servers > 1 && hangs.count > 0) cell.hangs = hangs;
}

void count_plays(const VirtualSearchResult& result, const PlaySpec& spec, TableCell& cell) {
    note_hangs(result.hangs, spec.nodes, cell);
    cell.runs = result.plays - result.not_whole;
    cell.left_out = result.not_whole + result.lost.count;
    cell.hung = result.hung;
    cell.oracles = results_of(result.oracles);
    cell.grants = result.grants;
    cell.library_error = result.first_error;
    if (result.find) return count_find(*result.find, cell);
    cell.goes_wrong_at_most = run_bound(cell.runs);
    cell.verdict = verdict_of_clean(cell.runs);
    const auto unknown = [&](const std::string& why) {
        cell.verdict = Verdict::unknown;
        cell.why_unknown = why;
    };
    if (result.interrupted) return unknown("it was interrupted");
    if (cell.left_out > cell.runs) {
        return unknown(std::to_string(cell.left_out) + " of " + std::to_string(result.plays) +
                       " plays went on for too long, or lost their driver");
    }
    const std::string why = why_nothing(result, spec.faults);
    if (!why.empty()) unknown(why);
}

/// The command that repeats a search of plays, or its counterexample.
std::string replay_of(const Subject& subject, const PlaySpec& spec, std::uint64_t plays,
                      const VirtualSearchResult& result) {
    return typed_program() + " explore " + subject.operand() + " --faults " +
           to_string(spec.faults) +
           (spec.nodes > 1 ? " --topology " + to_string(Topology{spec.nodes}) : "") + " --seed " +
           std::to_string(result.find ? result.find->seed : spec.seed) +
           (result.find ? " --choices " + to_string(result.find->deviations)
                        : " --budget " + std::to_string(plays));
}

/// A fault has to strike one message of many, which chance seldom does: where it finds nothing, all
/// plays are made with one non-default choice, up to so many times as many.
constexpr std::uint64_t kNearCalm = 4;

std::uint64_t near_calm_plays(const FaultBudget& faults, const TableSize& size) {
    const auto is_of_message = [](const HazardRow& row) { return strikes_messages(row.hazard); };
    return faults.has(is_of_message) ? size.plays * kNearCalm : 0;
}

void play(const TableAsk& ask, const TableSize& size, const Watcher& watcher,
          std::uint32_t processor, TableCell& cell) {
    PlaySpec spec = play_of(*ask.subject, ask.faults, size.seed);
    if (size.options.topology) spec.nodes = size.options.topology->masters;
    VirtualSearchLimits limits;
    limits.plays = size.plays;
    limits.first_processor = processor;
    limits.asks_oracles = true;
    const VirtualSearchResult result = search_virtually(*ask.subject, spec, limits, watcher);
    count_plays(result, spec, cell);
    cell.replay = replay_of(*ask.subject, spec, limits.plays, result);
    const std::uint64_t near = near_calm_plays(ask.faults, size);
    if (near == 0 || result.find || result.interrupted) return;
    limits.order = PlayOrder::delay;
    limits.plays = near;
    limits.changes = 1;
    VirtualSearchResult found = search_virtually(*ask.subject, spec, limits, watcher);
    if (!found.find) return;
    // Those by chance were made before.
    found.plays += result.plays;
    found.hangs.add(result.hangs);
    found.not_whole += result.not_whole;
    found.hung += result.hung;
    found.grants += result.grants;
    count_plays(found, spec, cell);
    cell.replay = replay_of(*ask.subject, spec, near, found);
}

/// A run of a lock with a long TTL is short, so that its cell takes no longer than others.
CampaignOptions live_options(const Subject& subject, CampaignOptions options) {
    options.world = WorldKind::live;
    constexpr Duration kLongTtl = std::chrono::milliseconds(500);
    constexpr std::uint64_t kFewGrants = 6;
    const bool is_long = options.ttl.value_or(subject.usual_ttl()) > kLongTtl;
    if (is_long) options.grants_per_run = std::min(options.grants_per_run, kFewGrants);
    return options;
}

/// Each hazard as often as in a campaign of it alone.
FaultBudget live_budget(const FaultBudget& faults) {
    FaultBudget budget;
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] > 0) budget[row.hazard] = budget_for(row.hazard)[row.hazard];
    }
    return budget;
}

void run_live(const TableAsk& ask, const TableSize& size, const Watcher& watcher, TableCell& cell,
              Duration& worst_lag) {
    const FaultBudget budget = live_budget(ask.faults);
    const CampaignOptions options = live_options(*ask.subject, size.options);
    ForeignCell runs(spec_for(*ask.subject, options, budget), size.runs);
    Team team(*ask.subject);
    run_foreign_campaign(runs, *ask.subject, size.seed, team, watcher);
    const Tally& tally = runs.count.tally();
    cell.verdict = runs.count.verdict();
    cell.why_unknown = runs.count.why_unknown();
    cell.runs = tally.runs() - tally.unknown_runs();
    cell.broken_runs = tally.violated_runs() + tally.stuck_runs();
    cell.left_out = runs.count.disturbed_runs();
    cell.goes_wrong_at_most = tally.bound();
    cell.grants = tally.grants();
    cell.causes = tally.causes();
    cell.oracles = results_of(runs.count.oracles());
    note_hangs(runs.hangs, runs.spec.topology.masters, cell);
    if (runs.inclusion.accepted < runs.inclusion.histories()) cell.rules = to_text(runs.inclusion);
    cell.library_error = runs.first_error;
    cell.replay = typed_program() + " campaign " + ask.subject->operand() +
                  " --world live --faults " + to_string(budget) + " --seed " +
                  std::to_string(size.seed) + " --runs " + std::to_string(size.runs) +
                  " --grants-per-run " + std::to_string(options.grants_per_run);
    worst_lag = runs.count.worst_lag();
}

}  // namespace

nlohmann::ordered_json to_json(const TableCell& cell) { return written_row(cell); }
void read_row(const nlohmann::ordered_json& json, TableCell& cell) { read_fields(json, cell); }

bool can_have(const Subject& subject, TableWorld world, Hazard hazard) {
    if (world == TableWorld::live) return subject.can_be_struck_by(hazard);
    return is_made_in(FaultWorld::plays, hazard) && applies(subject.row(), hazard);
}

/// An installed library has a list of its files, with their digests.
std::string maker_of(const Subject& subject) {
    static const std::string program = digest_of_file("/proc/self/exe");
    const std::string& folder = subject.start().folder;
    return folder.empty() ? program
                          : program + " " + digest_of_file(fs::path(folder) / ".installed");
}

TableCell table_cell(const TableAsk& ask, const TableSize& size) {
    const Subject& subject = *ask.subject;
    TableCell cell;
    cell.subject = subject.operand();
    cell.library = std::string(subject.row().label);
    cell.version = subject.version();
    cell.world = name_of(ask.world);
    cell.faults = to_string(ask.faults);
    const bool live = ask.world == TableWorld::live;
    cell.size =
        "seed " + std::to_string(size.seed) + ", " +
        (live ? std::to_string(size.runs) + " runs" : std::to_string(size.plays) + " plays");
    const std::uint64_t near = live ? 0 : near_calm_plays(ask.faults, size);
    if (near > 0) {
        cell.size += ", and " + std::to_string(near) + " at most with one non-default choice";
    }
    const CampaignOptions& options = size.options;
    const Topology servers = options.topology.value_or(subject.row().topology());
    if (options.topology || servers.masters > 1) cell.size += ", " + to_string(servers);
    if (live && options.ttl) cell.size += ", TTL " + to_string(*options.ttl);
    cell.made_by = maker_of(subject);
    cell.date = today();
    cell.baseline = why_baseline_of(ask.faults, subject);
    return cell;
}

TableCell fill_cell(const TableAsk& ask, const TableSize& size, const Watcher& watcher,
                    std::uint32_t processor, Duration& worst_lag) {
    const Stopwatch since;
    TableCell cell = table_cell(ask, size);
    try {
        if (ask.world == TableWorld::live) {
            run_live(ask, size, watcher, cell, worst_lag);
        } else {
            play(ask, size, watcher, processor, cell);
        }
    } catch (const DriverTrouble& trouble) {
        cell.verdict = Verdict::unknown;
        cell.why_unknown = trouble.what();
    }
    cell.seconds = since.seconds();
    return cell;
}

}  // namespace locklab
