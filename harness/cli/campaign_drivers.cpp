#include "harness/cli/campaign_drivers.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/campaign/cell_text.h"
#include "harness/campaign/foreign_campaign.h"
#include "harness/campaign/full_runs.h"
#include "harness/campaign/witness.h"
#include "harness/cli/campaign_options.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/core/duration_text.h"
#include "harness/core/nearest.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/suite/cell_row.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// A process takes longer than a coroutine: so many grants where nothing else is said, in so many
/// runs that clean ones are enough for `holds`, though some are disturbed.
constexpr std::uint64_t kUsualGrants = 400;
constexpr std::uint64_t kUsualGrantsPerRun = 10;

/// Runs of our own drivers under way at once: they are small, and wait most of their time.
constexpr std::uint64_t kThreads = 4;

/// Faults of a run, where each hazard has its turn.
constexpr std::uint32_t kOfEach = 2;

/// The longest after which a library that is known gives up on a reply, as it comes.
constexpr Duration kLibraryTimeout = std::chrono::seconds(5);

void check_options(const CommandLine& line, const CampaignOptions& options) {
    const auto refuse = [](const std::string& what, const std::string& right) {
        throw UsageError(what + "; right would be " + right);
    };
    if (options.world != WorldKind::live) {
        refuse("a library is run as it is, on a real Redis, and not simulated", "--world live");
    }
    for (const char* option : {"swarm", "client-ttl", "client-renewal", "client-job", "client-mode",
                               "renewal", "unit", "redis"}) {
        if (!line.has(option)) continue;
        refuse("--" + std::string(option) + " is not for driver processes", "to leave it out");
    }
    if (options.locks > 1) refuse("driver processes take one lock", "to leave out --locks");
    if (!options.redis.empty()) {
        refuse("driver processes have a redis-server of their own", "to unset LOCKLAB_REDIS");
    }
    check_faults(options.budget, foreign_makes, "a campaign");
}

RunSpec spec_of(const Subject& subject, CampaignOptions options, const FaultBudget& budget) {
    options.budget = budget;
    if (!options.ttl) options.ttl = subject.usual_ttl();
    if (*options.ttl < subject.least_ttl()) {
        throw UsageError(std::string(subject.row().name) + " takes no TTL below " +
                         to_string(subject.least_ttl()) + "; right would be --ttl " +
                         to_string(subject.usual_ttl()));
    }
    if (!options.timeout && subject.has_own_timeouts()) options.timeout = kLibraryTimeout;
    // Longer than a coroutine's: somebody is inside most of the time, within the lease.
    if (!options.job) options.job = DurationRange{*options.ttl / 100, *options.ttl * 2 / 5};
    return spec_for(subject.row(), options);
}

/// Who cannot have what was asked for is an error where it was named, and else left out.
Subjects who_suffers(Subjects subjects, const std::string& operand, const FaultBudget& budget) {
    for (const HazardRow& row : kHazards) {
        if (budget[row.hazard] == 0 || !is_of_clients_clock(row.hazard)) continue;
        std::erase_if(subjects, [&](const std::unique_ptr<Subject>& subject) {
            if (subject->no_clock().empty()) return false;
            const std::string sentence = "fault '" + std::string(row.name) +
                                         "' cannot be made for " + subject->operand() + ": " +
                                         subject->no_clock();
            if (operand != kLibraries) {
                throw UsageError(sentence + "; right would be a fault of another kind");
            }
            std::cerr << "locklab: " << sentence << "; it is left out\n";
            return true;
        });
    }
    if (subjects.empty()) {
        throw UsageError(
            "no library that is installed can have such a fault; right would be a "
            "fault of another kind");
    }
    return subjects;
}

/// The budgets of a row: what was asked, or each hazard by itself.
std::vector<FaultBudget> budgets_for(const Subject& subject, const CampaignOptions& options,
                                     bool each_hazard) {
    if (!each_hazard) return {options.budget};
    std::vector<FaultBudget> budgets;
    for (const HazardRow& row : kHazards) {
        if (!subject.suffers(row.hazard)) continue;
        FaultBudget budget;
        // Of three clients one may crash: who is alone shows nothing.
        const bool is_crash = row.hazard == Hazard::crash;
        if (row.hazard != Hazard::contention) budget[row.hazard] = is_crash ? 1 : kOfEach;
        budgets.push_back(budget);
    }
    return budgets;
}

struct Said {
    std::vector<nlohmann::ordered_json> rows;
    std::string text;
    std::string table;
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
    row["grants_asked"] = cell.grants_asked;
    row["short_runs"] = cell.short_runs;
    row["driver_complaints"] = cell.complaints;
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

std::string padded(std::string_view word, std::size_t width) {
    return std::string(word) + std::string(width > word.size() ? width - word.size() : 1, ' ');
}

/// Hazards down, libraries across.
std::string table_of(const Subjects& subjects, const std::vector<nlohmann::ordered_json>& rows) {
    constexpr std::size_t kFirst = 18;
    constexpr std::size_t kOther = 17;
    std::string text = "\n" + padded("", kFirst);
    for (const auto& subject : subjects) text += padded(subject->row().name, kOther);
    text.erase(text.find_last_not_of(' ') + 1);
    for (const HazardRow& hazard : kHazards) {
        if (!foreign_makes(hazard.hazard)) continue;
        text += "\n" + padded(hazard.name, kFirst);
        for (const auto& subject : subjects) {
            std::string verdict = "-";
            for (const auto& row : rows) {
                const bool has_none = hazard.hazard == kNoFault;
                const auto hazards = has_none ? nlohmann::ordered_json::array()
                                              : nlohmann::ordered_json{hazard.name};
                const bool same =
                    row["algorithm"] == subject->row().name && row["hazards"] == hazards;
                if (same) verdict = row["verdict"].get<std::string>();
            }
            text += padded(verdict, kOther);
        }
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return text +
           "\nholds, not seen: no overlap was proved, and each row above says how many runs may "
           "have one for all that; ./locklab explore lib:NAME looks harder\n";
}

/// Of our own locks several runs at once: they mostly wait. A runtime of a library may be large.
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
    const std::string& operand = line.operands()[0];
    CampaignOptions options = campaign_options_of_any_world(line);
    check_options(line, options);
    if (!has_word(arguments, "--grants")) options.grants = kUsualGrants;
    if (!has_word(arguments, "--grants-per-run")) options.grants_per_run = kUsualGrantsPerRun;
    const std::uint64_t runs = options.runs.value_or((options.grants + options.grants_per_run - 1) /
                                                     options.grants_per_run);
    const bool each_hazard = operand == kLibraries && !line.has("faults");
    const Subjects subjects = who_suffers(subjects_of(operand), operand, options.budget);
    for (const auto& subject : subjects) check_servers(*subject, options.topology);
    const fs::path traces =
        output_folder(line, "traces", fs::path(home_folder()) / "results" / "traces");
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    Said said;
    for (const auto& subject : subjects) {
        Team team(*subject);
        for (const FaultBudget& budget : budgets_for(*subject, options, each_hazard)) {
            if (watcher.stopped()) break;
            ForeignCell cell(spec_of(*subject, options, budget), runs);
            bool goes_on = true;
            try {
                run_cell(cell, *subject, options.seed, team, watcher);
                for (int goes = 0; goes < kMostGoes && options.full && !watcher.stopped(); ++goes) {
                    if (!give_more_runs(cell)) break;
                    run_cell(cell, *subject, options.seed, team, watcher);
                }
            } catch (const DriverTrouble& trouble) {
                // What the other libraries came to is told all the same.
                if (operand != kLibraries) throw;
                cell.count.cut_short(trouble.what());
                goes_on = false;
            }
            progress.clear();
            add(said, *subject, cell, traces);
            if (!goes_on) break;
        }
    }
    if (each_hazard) said.table = table_of(subjects, said.rows);
    if (line.json()) {
        nlohmann::ordered_json json{{"seed", options.seed}, {"world", name_of(options.world)}};
        if (options.topology) json["topology"] = to_string(*options.topology);
        json["runs"] = said.rows;
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << "seed " << options.seed << ", world " << name_of(options.world)
                  << (options.topology ? ", " + to_string(*options.topology) : "") << "\n"
                  << said.text << said.table;
    }
    if (interrupt_flag()) {
        std::cerr << "locklab: interrupted; what is shown was finished before\n";
        return kExitUnknown;
    }
    return said.witness_missing ? kExitUnknown : exit_code(said.worst);
}

}  // namespace locklab
