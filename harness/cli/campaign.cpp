// locklab campaign: random runs of one lock, or all, with a fault plan drawn once for each run.

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/campaign/cell_text.h"
#include "harness/campaign/full_runs.h"
#include "harness/campaign/live_campaign.h"
#include "harness/campaign/swarm.h"
#include "harness/campaign/witness.h"
#include "harness/cli/campaign_drivers.h"
#include "harness/cli/campaign_libraries.h"
#include "harness/cli/campaign_options.h"
#include "harness/cli/campaign_shard.h"
#include "harness/cli/driver_subjects.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/merge.h"
#include "harness/cli/progress.h"
#include "harness/cli/shard_option.h"
#include "harness/cli/world_options.h"
#include "harness/live/live_server.h"
#include "harness/live/server_program.h"
#include "harness/play/named_algorithm.h"
#include "harness/record/client_options_json.h"
#include "harness/record/files.h"
#include "harness/record/home_folder.h"
#include "harness/record/swarm_json.h"
#include "harness/suite/cell_row.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// What the verb prints at the end.
struct Outcome {
    std::vector<nlohmann::ordered_json> rows;
    std::string text;
    Verdict worst = Verdict::holds;
    bool witness_missing = false;  ///< a witness could not be written

    /// `write` writes the witness. If the disk is full, the counts are kept.
    template <class Write>
    void add(const RunSpec& spec, const CampaignCount& count, Write write) {
        std::string replay;
        try {
            replay = write().replay;
        } catch (const FileError& error) {
            tell_on_stderr(error.what());
            witness_missing = true;
        }
        rows.push_back(to_json(cell_row(spec, count, replay)));
        if (spec.tasks > 1) rows.back()["tasks"] = spec.tasks;
        if (spec.resources > 1) {
            rows.back()["locks"] = spec.resources;
            rows.back()["same_order"] = spec.workload.same_order;
        }
        if (!spec.unequal.empty()) rows.back()[kUnequalClients] = to_json(spec.unequal);
        if (count.swarm()) rows.back()["swarm"] = to_json(*count.swarm(), spec.budget);
        text += cell_text(spec, count, replay);
        const Verdict verdict = count.verdict();
        if (is_graver(verdict, worst)) worst = verdict;
    }
    /// Adds to the last cell.
    void add(const InclusionCount& count) {
        rows.back()["inclusion"] = to_json(count);
        text += "  " + to_text(count) + "\n";
    }
};

std::vector<LockRuns> runs_of(const std::vector<const Algorithm*>& algorithms,
                              const CampaignOptions& options) {
    std::vector<LockRuns> all;
    for (const Algorithm* algorithm : algorithms) {
        if (options.swarm) {
            Swarm swarm = swarm_for(*algorithm, options);
            all.push_back({std::move(swarm.whole), std::move(swarm.of_run)});
        } else {
            all.push_back({spec_for(*algorithm, options)});
        }
    }
    return all;
}

Witness sim_witness(const LockRuns& runs, const CampaignCount& count, std::uint64_t seed,
                    const fs::path& traces) {
    const auto run = count.witness();
    const bool drawn = run && runs.of_run;
    return write_sim_witness(drawn ? runs.of_run(*run, *run) : runs.spec, count, seed, traces);
}

CampaignCount counted_in_sim(const LockRuns& lock, const CampaignGoal& goal,
                             const std::vector<ShardFolder>* shards, const Progress& show) {
    if (shards == nullptr) {
        return run_sim_campaign(lock.spec, goal, interrupt_flag(), show, lock.of_run);
    }
    RunsOfShards made(*shards, lock);
    CampaignCount count =
        run_sim_campaign(lock.spec, goal, interrupt_flag(), show, lock.of_run,
                         [&](std::uint64_t, std::size_t size) { return made.next(size); });
    count.show_nothing(made.why_unknown());
    return count;
}

/// `shards`: where the runs were made before, or null.
void run_sim(const std::vector<LockRuns>& locks, const CampaignOptions& options,
             const std::vector<ShardFolder>* shards, const fs::path& traces, ProgressLine& progress,
             Outcome& outcome) {
    const CampaignGoal goal = campaign_goal(options);
    for (const LockRuns& runs : locks) {
        const RunSpec& spec = runs.spec;
        const auto show = [&](std::uint64_t grants) {
            const std::string of = options.runs ? "" : " of " + std::to_string(options.grants);
            progress.show(std::string(spec.algorithm->name) + ": " + std::to_string(grants) + of +
                          " grants");
        };
        const CampaignCount count = counted_in_sim(runs, goal, shards, show);
        progress.clear();
        outcome.add(spec, count, [&] { return sim_witness(runs, count, options.seed, traces); });
        if (interrupt_flag()) return;
    }
}

void run_live(const std::vector<LockRuns>& locks, const CampaignOptions& options,
              const fs::path& traces, LiveServer& server, ProgressLine& progress,
              Outcome& outcome) {
    std::vector<LiveCell> cells;
    const std::uint64_t runs = options.runs.value_or((options.grants + options.grants_per_run - 1) /
                                                     options.grants_per_run);
    for (const LockRuns& one : locks) cells.emplace_back(one.spec, runs, one.of_run);
    bool goes_on = true;
    for (int goes = 0; goes_on && goes <= kMostGoes && !interrupt_flag(); ++goes) {
        const std::string keys_left =
            run_live_campaign(cells, options.seed, server, [&](std::size_t done, std::size_t all) {
                progress.show(std::to_string(done) + " of " + std::to_string(all) + " runs");
            });
        progress.clear();
        if (!keys_left.empty()) tell_on_stderr(keys_left);
        goes_on = false;
        for (LiveCell& cell : cells) goes_on = (options.full && give_more_runs(cell)) || goes_on;
    }
    for (const LiveCell& cell : cells) {
        outcome.add(cell.spec, cell.count, [&] { return write_live_witness(cell, traces); });
        outcome.add(cell.inclusion);
    }
}

CommandLine campaign_line() {
    OptionList list = campaign_option_list();
    list.push_back({"traces", kText, "folder for witnesses (default: results/traces)"});
    return {"campaign", list, 1};
}

/// `shards`: their runs are counted, and none made.
int run_campaign(const Arguments& arguments, const std::vector<ShardFolder>* shards) {
    CommandLine line = campaign_line();
    if (!line.parse(arguments)) return kExitHolds;
    if (is_table_of_drivers(line, arguments)) return campaign_of_libraries(line, arguments);
    if (!line.operands().empty() && names_drivers(line.operands()[0])) {
        return campaign_of_drivers(line, arguments);
    }
    const auto named = algorithms_named(line.operands().empty() ? "all" : line.operands()[0]);
    check_client_mode(line, named);
    CampaignOptions options = campaign_options(line);
    // With all locks, one that needs more clients must not keep the others from running.
    options.exact_clients = line.has("clients") && named.size() == 1;
    const std::optional<Shard> shard = shard_option(line, "campaign");
    if (shard) check_campaign_shard(options);
    const std::vector<LockRuns> runs = runs_of(named, options);
    if (shard) return make_campaign_shard(line, *shard, runs, options);
    ProgressLine progress;
    const Watcher watcher = watcher_with(progress);
    std::optional<LiveServer> server;
    if (options.world == WorldKind::live) server.emplace(options.redis, watcher);
    const fs::path traces =
        output_folder(line, "traces", fs::path(home_folder()) / "results" / "traces");
    Outcome outcome;
    if (server) {
        run_live(runs, options, traces, *server, progress, outcome);
    } else {
        run_sim(runs, options, shards, traces, progress, outcome);
    }
    if (line.json()) {
        nlohmann::ordered_json json;
        json["seed"] = options.seed;
        json["world"] = name_of(options.world);
        if (server) json["redis"] = server->version();
        if (options.topology) json["topology"] = to_string(*options.topology);
        json["runs"] = outcome.rows;
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << "seed " << options.seed << ", world " << name_of(options.world)
                  << (options.topology ? ", " + to_string(*options.topology) : "")
                  << (server ? server_text(server->version()) : "") << "\n"
                  << outcome.text;
    }
    if (interrupt_flag()) {
        std::cerr << "locklab: interrupted; what is shown was finished before\n";
        return kExitUnknown;
    }
    if (outcome.witness_missing) return kExitUnknown;
    return exit_code(outcome.worst);
}

}  // namespace

int campaign_verb(const Arguments& arguments) { return run_campaign(arguments, nullptr); }

int merge_campaign(const std::vector<ShardFolder>& shards, const CommandLine& line) {
    const Arguments words = words_of_whole(shards[0], line, {"traces", "json"});
    CommandLine whole = campaign_line();
    whole.parse(words);
    if (is_table_of_drivers(whole, words)) return show_merged_table(whole, shards);
    return run_campaign(words, &shards);
}

}  // namespace locklab
