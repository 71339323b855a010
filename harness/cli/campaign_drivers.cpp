#include "harness/cli/campaign_drivers.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/campaign/cell_text.h"
#include "harness/campaign/foreign_campaign.h"
#include "harness/campaign/foreign_spec.h"
#include "harness/campaign/full_runs.h"
#include "harness/campaign/witness.h"
#include "harness/cli/campaign_options.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/core/nearest.h"
#include "harness/live/server_program.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/suite/cell_row.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// A process takes longer than a coroutine: default number of grants, in enough runs that clean
/// ones suffice for `holds`, even if some are disturbed.
constexpr std::uint64_t kUsualGrants = 400;
constexpr std::uint64_t kUsualGrantsPerRun = 10;

/// Runs of our own drivers under way at once: they are small, and wait most of their time.
constexpr std::uint64_t kThreads = 4;

void check_options(const CommandLine& line, const Arguments& arguments,
                   const CampaignOptions& options) {
    const auto refuse = [](const std::string& what, const std::string& right) {
        throw UsageError(what + "; right would be " + right);
    };
    refuse_what_drivers_lack(arguments);
    if (line.has("shard")) refuse("--shard is of a table of libraries", "to leave it out");
    for (const char* option : {"libraries", "plays", "out", "markdown"}) {
        if (!line.has(option)) continue;
        refuse("--" + std::string(option) + " is of a table in virtual time, and this is live",
               "to leave out --world live, or --" + std::string(option));
    }
    if (!options.redis.empty()) {
        refuse("driver processes have a redis-server of their own", "to unset LOCKLAB_REDIS");
    }
    check_faults(options.budget, FaultWorld::drivers, "a campaign");
}

void check_subject(const Subject& subject, const FaultBudget& budget) {
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0) continue;
        const std::string why = subject.why_not_struck_by(row.hazard);
        if (why.empty()) continue;
        throw UsageError("fault '" + std::string(row.name) + "' cannot be made for " +
                         subject.operand() + ": " + why +
                         "; right would be a fault of another kind");
    }
}

struct Said {
    std::vector<nlohmann::ordered_json> rows;
    std::string text;
    Verdict worst = Verdict::holds;
    bool witness_missing = false;
};

void add(Said& said, const Subject& subject, const ForeignCell& cell, const fs::path& traces) {
    std::string replay;
    try {
        replay = write_foreign_witness(cell, traces).replay;
    } catch (const FileError& error) {
        std::cerr << "locklab: " << error.what() << "\n";
        said.witness_missing = true;
    }
    nlohmann::ordered_json row = to_json(cell_row(cell.spec, cell.count, replay));
    row["told"] = {{"lost", cell.told.lost},
                   {"not_ours", cell.told.not_ours},
                   {"error", cell.told.error},
                   {"nothing", cell.told.nothing}};
    row["inclusion"] =
        cell.inclusion.histories() > 0 ? to_json(cell.inclusion) : nlohmann::ordered_json();
    if (cell.commands.size() > 1) row["commands_by_server"] = cell.commands;
    row["longest_recovery_us"] = us(cell.longest_recovery);
    row["hangs"] = {{"count", cell.hangs.count},
                    {"gone_on", cell.hangs.gone_on},
                    {"longest_wait_us", us(cell.hangs.longest_wait)}};
    row["grants_asked"] = cell.grants_asked;
    row["short_runs"] = cell.short_runs;
    row["hung_runs"] = cell.hung_runs;
    row["driver_complaints"] = cell.complaints;
    row["runs_lost_with_their_driver"] = cell.lost.count;
    row["stubs"] = subject.stubs().empty() ? nlohmann::ordered_json()
                                           : nlohmann::ordered_json(subject.stubs());
    row["library_error"] = cell.first_error.empty() ? nlohmann::ordered_json()
                                                    : nlohmann::ordered_json(cell.first_error);
    const bool had_fences = cell.fenced_grants > 0;
    if (!had_fences) row["fence_inversions"] = nullptr;
    said.rows.push_back(std::move(row));
    said.text += cell_text(cell.spec, cell.count, replay, had_fences) + told_text(cell);
    if (!subject.stubs().empty()) said.text += "  " + subject.stubs() + "\n";
    const Verdict verdict = cell.count.verdict();
    if (is_graver(verdict, said.worst)) said.worst = verdict;
}

/// Runs of our own locks are parallel: they mostly wait. A library's runtime may be too large.
void run_cell(ForeignCell& cell, const Subject& subject, std::uint64_t seed, Team& team,
              const Watcher& watcher) {
    if (subject.has_own_timeouts()) {
        run_foreign_campaign(cell, subject, seed, team, watcher);
    } else {
        const auto threads = std::min<std::uint64_t>(kThreads, cell.runs - cell.first);
        run_foreign_campaign(cell, subject, seed, threads, watcher);
    }
}

}  // namespace

int campaign_of_drivers(const CommandLine& line, const Arguments& arguments) {
    CampaignOptions options = campaign_options_of_any_world(line);
    check_options(line, arguments, options);
    if (!has_word(arguments, "--grants")) options.grants = kUsualGrants;
    if (!has_word(arguments, "--grants-per-run")) options.grants_per_run = kUsualGrantsPerRun;
    const std::uint64_t runs = options.runs.value_or((options.grants + options.grants_per_run - 1) /
                                                     options.grants_per_run);
    const Subjects subjects = subjects_of(line.operands()[0]);
    const Subject& subject = *subjects.front();
    check_subject(subject, options.budget);
    check_calls(subject, options.budget);
    check_servers(subject, options.topology, FaultWorld::drivers);
    const fs::path traces =
        output_folder(line, "traces", fs::path(home_folder()) / "results" / "traces");
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    Team team(subject);
    ForeignCell cell(spec_for(subject, options, options.budget), runs);
    run_cell(cell, subject, options.seed, team, watcher);
    for (int goes = 0; goes < kMostGoes && options.full && !watcher.stopped(); ++goes) {
        if (!give_more_runs(cell)) break;
        run_cell(cell, subject, options.seed, team, watcher);
    }
    progress.clear();
    Said said;
    add(said, subject, cell, traces);
    if (line.json()) {
        nlohmann::ordered_json json{{"seed", options.seed}, {"world", name_of(options.world)}};
        json["redis"] = cell.redis;
        if (options.topology) json["topology"] = to_string(*options.topology);
        json["runs"] = said.rows;
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << "seed " << options.seed << ", world " << name_of(options.world)
                  << (options.topology ? ", " + to_string(*options.topology) : "")
                  << server_text(cell.redis) << "\n"
                  << said.text;
    }
    if (interrupt_flag()) {
        std::cerr << "locklab: interrupted; what is shown was finished before\n";
        return kExitUnknown;
    }
    return said.witness_missing ? kExitUnknown : exit_code(said.worst);
}

}  // namespace locklab
