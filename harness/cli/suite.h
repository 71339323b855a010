// The suite: every lock under every hazard, in both worlds, and how fast it is.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/campaign_options.h"
#include "harness/cli/scenario_plays.h"
#include "harness/cli/witness.h"

namespace locklab {

/// How much of it is done.
struct SuiteSize {
    std::string mode;  ///< "quick" or "full"
    std::uint64_t sim_runs = 0;
    std::uint64_t live_runs = 0;

    /// So few runs show that it works, and little else: then other parts are brief, too.
    bool is_tried_out() const { return live_runs < 40; }
};

/// One lock under one hazard in one world.
struct SuiteCell {
    RunSpec spec;
    WorldKind world = WorldKind::sim;
    Hazard hazard = Hazard::contention;
    CampaignCount count;
    Witness witness;

    /// "safe", "broken", or "" where the hazard cannot strike the lock.
    std::string_view claim() const;
    /// Whether what was seen fits the claim. Live runs are few: there, a break that was not seen
    /// still fits.
    bool as_claimed() const;
};

struct SuiteResult {
    /// One row for each lock, question and number of clients, as threshold_report.h has them.
    nlohmann::ordered_json thresholds = nlohmann::ordered_json::array();
    /// Of each lock, hazard and verdict, the shortest witness that these have, step by step.
    nlohmann::ordered_json witnesses = nlohmann::ordered_json::array();
    std::vector<SuiteCell> cells;
    std::vector<Scenario> scenarios;
    std::vector<PlayedScenario> plays;  ///< of these, in sim and then live
    /// One row for each lock, TTL and length of pauses.
    nlohmann::ordered_json surface = nlohmann::ordered_json::array();
    /// Rows and noise, as bench_report.h has them.
    nlohmann::ordered_json bench;
    bool complete = false;
    std::string redis;  ///< version; empty if the live part did not begin
};

/// What the sections share. Witnesses are written into the folder as they are found.
struct SuiteContext {
    SuiteSize size;
    std::uint64_t seed = 1;
    std::string redis;
    std::filesystem::path folder;
};

/// Each section appends what it finished, also when it is interrupted: then it returns early.
void run_threshold_section(const SuiteContext& context, SuiteResult& result);
void run_sim_section(const SuiteContext& context, SuiteResult& result);
void run_live_section(const SuiteContext& context, LiveServer& server, SuiteResult& result);
void run_scenario_section(const SuiteContext& context, LiveServer& server, SuiteResult& result);
void run_surface_section(const SuiteContext& context, SuiteResult& result);
void run_bench_section(const SuiteContext& context, SuiteResult& result);

/// The options that the suite gives every lock, so that all are struck alike.
CampaignOptions suite_options(WorldKind world, Hazard hazard);

/// The campaign that counts the same again (live: nearly the same), as one would type it.
std::string suite_command(const SuiteCell& cell, const SuiteContext& context);

/// Writes manifest.json and one JSON file for each part of the result, and the tables among these
/// as CSV. Throws FileError.
void write_suite(const SuiteContext& context, const SuiteResult& result, const std::string& started,
                 double seconds, const std::string& command);

}  // namespace locklab
