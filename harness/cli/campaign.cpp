// locklab campaign: random runs of one lock, or all, with a fault plan drawn once for each run.

#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/campaign_options.h"
#include "harness/cli/cell_report.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/progress.h"
#include "harness/cli/witness.h"

namespace locklab {

namespace {

namespace fs = std::filesystem;

/// What the verb says in the end.
struct Outcome {
    std::vector<nlohmann::ordered_json> rows;
    std::string text;
    Verdict worst = Verdict::holds;

    void add(const RunSpec& spec, const CampaignCount& count, const std::string& replay) {
        rows.push_back(cell_json(spec, count, replay));
        text += cell_text(spec, count, replay);
        const Verdict verdict = count.verdict();
        const auto rank = [](Verdict v) {
            return v == Verdict::violated ? 3 : v == Verdict::stuck ? 2 : v == Verdict::unknown;
        };
        if (rank(verdict) > rank(worst)) worst = verdict;
    }
};

void run_sim(const std::vector<const Algorithm*>& named, const CampaignOptions& options,
             const fs::path& traces, Outcome& outcome) {
    ProgressLine progress;
    const CampaignGoal goal{options.seed, options.grants,
                            4 * (options.grants / options.grants_per_run + 1)};
    for (const Algorithm* algorithm : named) {
        const RunSpec spec = spec_for(*algorithm, options);
        const auto show = [&](std::uint64_t grants) {
            progress.show(std::string(algorithm->name) + ": " + std::to_string(grants) + " of " +
                          std::to_string(options.grants) + " grants");
        };
        const CampaignCount count = run_sim_campaign(spec, goal, interrupt_flag(), show);
        outcome.add(spec, count, write_sim_witness(spec, count, options.seed, traces).replay);
        if (interrupt_flag()) return;
    }
}

void run_live(const std::vector<const Algorithm*>& named, const CampaignOptions& options,
              const fs::path& traces, Outcome& outcome) {
    LiveServer server(options.redis);
    std::vector<LiveCell> cells;
    const std::uint64_t runs = (options.grants + options.grants_per_run - 1) /
                               options.grants_per_run;
    for (const Algorithm* algorithm : named) cells.emplace_back(spec_for(*algorithm, options), runs);
    ProgressLine progress;
    const std::string keys_left =
        run_live_campaign(cells, options.seed, server, [&](std::size_t done, std::size_t all) {
            progress.show(std::to_string(done) + " of " + std::to_string(all) + " runs");
        });
    progress.clear();
    if (!keys_left.empty()) std::cerr << "locklab: " << keys_left << "\n";
    for (const LiveCell& cell : cells) {
        outcome.add(cell.spec, cell.count, write_live_witness(cell, traces).replay);
    }
}

}  // namespace

int campaign_verb(const Arguments& arguments) {
    po::options_description list = campaign_option_list();
    list.add_options()("traces", po::value<std::string>(),
                       "folder for witnesses (default: results/traces)");
    CommandLine line("campaign", list, 1);
    if (!line.parse(arguments)) return kExitHolds;
    const auto named =
        algorithms_named(line.operands().empty() ? "all" : line.operands()[0]);
    const CampaignOptions options = campaign_options(line);
    const fs::path traces = line.has("traces") ? fs::path(line.get<std::string>("traces"))
                                               : fs::path(home_folder()) / "results" / "traces";
    Outcome outcome;
    const bool live = options.world == WorldKind::live;
    (live ? run_live : run_sim)(named, options, traces, outcome);
    if (line.json()) {
        nlohmann::ordered_json json;
        json["seed"] = options.seed;
        json["world"] = name_of(options.world);
        json["runs"] = outcome.rows;
        std::cout << json.dump(2) << "\n";
    } else {
        std::cout << "seed " << options.seed << ", world " << name_of(options.world) << "\n"
                  << outcome.text;
    }
    if (interrupt_flag()) {
        std::cerr << "locklab: interrupted; what is shown was finished before\n";
        if (outcome.worst == Verdict::holds) return kExitUnknown;
    }
    return exit_code(outcome.worst);
}

}  // namespace locklab
