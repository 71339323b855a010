// The suite: every lock under every hazard, in both worlds, and how fast it is.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/campaign_spec.h"
#include "harness/campaign/threshold_runs.h"
#include "harness/core/shard.h"
#include "harness/core/watcher.h"
#include "harness/failover/failover_count.h"
#include "harness/live/live_server.h"
#include "harness/suite/bench_row.h"
#include "harness/suite/cell_row.h"
#include "harness/suite/library_row.h"
#include "harness/suite/play_row.h"
#include "harness/suite/price_row.h"
#include "harness/suite/progress.h"
#include "harness/suite/run_row.h"
#include "harness/suite/scene_row.h"
#include "harness/suite/threshold_row.h"

namespace locklab {

/// The amount of work.
struct SuiteSize {
    std::string mode;  ///< "quick" or "full"
    std::uint64_t sim_runs = 0;
    std::uint64_t live_runs = 0;

    /// So few runs show only that it works: then other parts are brief, too.
    bool is_tried_out() const { return live_runs < 40; }
    bool is_full() const { return mode == "full"; }
    /// As many runs as a published run needs.
    bool is_large() const { return is_full() || live_runs >= 100; }
};

/// Redlock and its forms: what searches and campaigns in the simulator say of them.
struct RedlockRows {
    std::vector<ThresholdRow> thresholds;
    std::vector<SuiteCellRow> cells;
};

/// Results of the sections, as rows of the files that they are written to: so an interrupted suite
/// can be read back and continued.
struct SuiteResult {
    /// One row for each lock, question and number of clients.
    std::vector<ThresholdRow> thresholds;
    /// For each lock, hazard and verdict, the shortest witness of the thresholds.
    std::vector<WitnessRow> witnesses;
    std::vector<SuiteCellRow> sim_cells;
    std::vector<SuiteCellRow> live_cells;
    /// One point for each lock, TTL and length of pauses.
    std::vector<SurfacePoint> surface;
    std::vector<PlayRow> plays;                           ///< in sim, then live
    std::optional<std::vector<RaceRow>> races;            ///< nothing: not begun
    std::optional<std::vector<LibraryRow>> libraries;     ///< the same; empty: none is installed
    std::optional<RedlockRows> redlock;                   ///< the same
    std::optional<std::vector<FailoverCount>> failovers;  ///< the same
    std::optional<std::vector<PriceRow>> price;           ///< the same
    std::optional<BenchRows> bench;                       ///< nothing: not begun
    std::string redis;  ///< version; empty if the live part did not begin

    std::vector<std::string> finished;  ///< names of sections
    std::vector<SectionTime> took;      ///< by the finished sections
    std::vector<MissingSection> missing;
    bool complete = false;  ///< no section is left
    bool running = false;   ///< it continues after this was written

    std::optional<std::uint64_t> merged_from;  ///< number of shards

    std::string command;               ///< as it was first typed
    std::string started;               ///< when it was first started
    std::vector<std::string> resumed;  ///< when it was resumed
    double seconds = 0;                ///< of all parts before this one

    bool has_finished(std::string_view section) const;
};

/// Shared by the sections. Witnesses are written into the folder as they are found.
struct SuiteContext {
    SuiteSize size;
    std::uint64_t seed = 1;
    std::string redis;
    std::filesystem::path folder;
    Watcher watcher;
    /// Names of the sections asked for; the others are left out. Empty: all.
    std::vector<std::string> sections;
    /// The sections asked for are made anew, in a run whose others may be of another build.
    bool remakes = false;
    /// The libraries asked for, each by its row or its folder: "redis-py:asyncio", "redis-py".
    /// Empty: all that are installed.
    std::vector<std::string> libraries;
    /// The columns of the table of libraries that are made anew; the other columns of these rows,
    /// and their scenarios, stay. Empty: whole rows.
    std::vector<FaultBudget> columns;
    /// Only these pieces of each section.
    std::optional<Shard> shard;

    /// Whether the section is to run here. One that is in no pieces runs in the last shard.
    bool was_asked_for(std::string_view section) const;
    /// Whether this row of the libraries is to be made here.
    bool was_asked_for_library(std::string_view row) const;
    /// Whether the library section is made anew for some libraries or columns, and the others stay.
    bool remakes_some_libraries() const {
        return remakes && (!libraries.empty() || !columns.empty());
    }
    /// Whether a section's piece of this number is to run here.
    bool has(std::uint64_t piece) const { return !shard || shard->has(piece); }
};

/// The Redis of the live parts, made on first use.
class SuiteServer {
public:
    SuiteServer(std::string redis, Watcher watcher)
        : redis_(std::move(redis)), watcher_(std::move(watcher)) {}

    /// Null if there is none, or none can be started; why_not() says why.
    LiveServer* get();
    const std::string& why_not() const { return why_not_; }

private:
    std::string redis_;
    Watcher watcher_;
    std::unique_ptr<LiveServer> server_;
    std::string why_not_;
};

/// What a stopped section has finished is kept in these files of the folder.
inline constexpr std::string_view kFailoversFile = "failovers.jsonl";
inline constexpr std::string_view kScenesFile = "libraries.part.jsonl";
inline constexpr std::string_view kTableFile = "table.part.jsonl";
inline constexpr std::string_view kPriceFile = "price.part.jsonl";

/// A part of the suite. It fills in its rows, also when it is interrupted: then it returns early.
/// It leaves out what it cannot do, and adds that to SuiteResult::missing.
struct SuiteSection {
    std::string_view name;
    std::string_view title;  ///< for people
    /// Made of pieces that several machines can share. What is not is made by one: benchmarks are
    /// compared with each other, and the scenarios take less time than starting a shard.
    bool in_pieces;
    void (*run)(const SuiteContext& context, SuiteServer& server, SuiteProgress& progress,
                SuiteResult& result);
    /// What it keeps while it is not finished.
    std::array<std::string_view, 2> keeps{};
};

void run_threshold_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_sim_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_surface_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_live_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_scenario_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_library_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_redlock_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_failover_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_price_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_bench_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);

/// In the order of execution. The names are those that --sections takes.
inline constexpr std::array<SuiteSection, 10> kSuiteSections{{
    {"sim", "campaigns in the simulator", true, run_sim_section},
    {"thresholds", "least faults that break each lock", true, run_threshold_section},
    {"surface", "TTLs against pauses", true, run_surface_section},
    {"live", "campaigns on a real Redis", true, run_live_section},
    {"scenarios", "races of the articles", false, run_scenario_section},
    {"redlock", "Redlock and its forms", false, run_redlock_section},
    {"failovers", "locks that Sentinels lose", false, run_failover_section, {kFailoversFile}},
    {"libraries",
     "libraries that are installed",
     true,
     run_library_section,
     {kScenesFile, kTableFile}},
    {"price", "what safety costs", false, run_price_section, {kPriceFile}},
    {"bench", "what each lock costs", false, run_bench_section},
}};

/// Number of sections that were asked for and are not finished.
std::size_t sections_to_come(const SuiteContext& context, const SuiteResult& result);

/// Runs the sections that were asked for and are not finished. The rows of each are saved before
/// the next begins, so that nothing is lost. The page is drawn as soon as there is something to
/// see, and again as sections end.
void run_sections(const SuiteContext& context, const SuiteVoice& voice, SuiteResult& result,
                  const std::function<void()>& save, const std::function<void()>& draw);

/// A campaign in the simulator; nothing if it was interrupted.
std::optional<SuiteCellRow> sim_cell(const Algorithm& algorithm, Hazard hazard,
                                     const SuiteContext& context);

/// Searches, and what they found: two rows for each lock, on exclusion and on progress. Adds the
/// shortest witness of each lock, hazard and verdict to `shortest`.
std::vector<ThresholdRow> threshold_rows(std::vector<ThresholdRun>& runs,
                                         const SuiteContext& context, SuiteProgress& progress,
                                         std::vector<WitnessRow>& shortest);

/// A cell's number among all locks under all hazards, in the order of one run: the same in both
/// worlds, so that a shard has a live cell and the simulated one that it is compared with.
std::uint64_t piece_of(Hazard hazard, std::string_view algorithm);
/// A lock's place in the registry: the number of its piece of the thresholds.
std::uint64_t place_of_lock(std::string_view algorithm);
/// The lock of each row of the thresholds, in the order of one run.
std::vector<std::string_view> locks_of_thresholds(const SuiteSize& size);

/// The options that the suite gives every lock, so that all face the same faults.
CampaignOptions suite_options(WorldKind world, Hazard hazard);

}  // namespace locklab
