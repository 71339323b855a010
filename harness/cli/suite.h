// The suite: every lock under every hazard, in both worlds, and how fast it is.
#pragma once

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/campaign_options.h"
#include "harness/cli/scenario_plays.h"
#include "harness/cli/suite_progress.h"
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

/// What a suite could not do, as half a sentence and its reason.
struct MissingPart {
    std::string part;
    std::string why;
};

/// What the sections found, as rows of the files that it is written to: so a suite that was
/// interrupted can be read and gone on with.
struct SuiteResult {
    using Json = nlohmann::ordered_json;

    /// One row for each lock, question and number of clients, as threshold_report.h has them.
    Json thresholds = Json::array();
    /// Of each lock, hazard and verdict, the shortest witness that these have, step by step.
    Json witnesses = Json::array();
    Json sim_cells = Json::array();
    Json live_cells = Json::array();
    /// One row for each lock, TTL and length of pauses.
    Json surface = Json::array();
    Json plays = Json::array();  ///< in sim and then live, as scenario_report.h has them
    Json races;                  ///< as race_report.h has them; null if nothing was played
    Json bench;                  ///< rows and noise, as bench_report.h has them; null: not begun
    std::string redis;           ///< version; empty if the live part did not begin

    std::vector<std::string> finished;  ///< names of sections
    std::vector<MissingPart> missing;
    bool complete = false;
    bool running = false;  ///< it goes on after this was written

    std::string command;               ///< as it was typed the first time
    std::string started;               ///< when that was
    std::vector<std::string> resumed;  ///< when it was gone on with
    double seconds = 0;                ///< of all parts before this one

    bool has_finished(std::string_view section) const;
};

/// What the sections share. Witnesses are written into the folder as they are found.
struct SuiteContext {
    SuiteSize size;
    std::uint64_t seed = 1;
    std::string redis;
    std::filesystem::path folder;
};

/// The Redis of the live parts, made when it is first asked for.
class SuiteServer {
public:
    explicit SuiteServer(std::string redis) : redis_(std::move(redis)) {}

    /// Null where there is none, or none that can be started; `why_not()` then says why.
    LiveServer* get();
    const std::string& why_not() const { return why_not_; }

private:
    std::string redis_;
    std::unique_ptr<LiveServer> server_;
    std::string why_not_;
};

/// A part of the suite. It fills its rows in, also when it is interrupted: then it returns early.
/// What it cannot do it leaves out, and adds to SuiteResult::missing.
struct SuiteSection {
    std::string_view name;
    std::string_view title;  ///< for people
    void (*run)(const SuiteContext& context, SuiteServer& server, SuiteProgress& progress,
                SuiteResult& result);
};

void run_threshold_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_sim_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_surface_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_live_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_scenario_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_bench_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);

/// In the order in which they are run.
inline constexpr std::array<SuiteSection, 6> kSuiteSections{{
    {"sim", "campaigns in the simulator", run_sim_section},
    {"thresholds", "least faults that break each lock", run_threshold_section},
    {"surface", "TTLs against pauses", run_surface_section},
    {"live", "campaigns on a real Redis", run_live_section},
    {"scenarios", "races of the articles", run_scenario_section},
    {"bench", "what each lock costs", run_bench_section},
}};

/// The object that suite.json has for a cell.
nlohmann::ordered_json suite_cell_json(const SuiteCell& cell, const SuiteContext& context);

/// The options that the suite gives every lock, so that all are struck alike.
CampaignOptions suite_options(WorldKind world, Hazard hazard);

/// The campaign that counts the same again (live: nearly the same), as one would type it.
std::string suite_command(const SuiteCell& cell, const SuiteContext& context);

/// Writes one JSON file for each part of the result, the tables among these as CSV, and last
/// manifest.json, which lists them all with their digests. `seconds`: since result.seconds was
/// counted. Throws FileError.
void write_suite(const SuiteContext& context, const SuiteResult& result, double seconds);

/// What makes two suites the same run: the options, and the program with its scenarios.
nlohmann::ordered_json suite_identity(const SuiteContext& context);

/// What the folder has of sections that were finished, and whose files are as its manifest lists
/// them. Throws UsageError if it is of another run.
SuiteResult read_suite(const SuiteContext& context);

/// SHA-1 of a file's bytes in hexadecimal; empty if it cannot be read.
std::string digest_of_file(const std::filesystem::path& file);

/// The files of witnesses that the rows name, from the folder of the run.
std::vector<std::string> witness_files(const nlohmann::ordered_json& cells);
std::vector<std::string> threshold_files(const nlohmann::ordered_json& rows);

}  // namespace locklab
