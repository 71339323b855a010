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
#include "harness/core/watcher.h"
#include "harness/live/live_server.h"
#include "harness/suite/bench_row.h"
#include "harness/suite/cell_row.h"
#include "harness/suite/library_row.h"
#include "harness/suite/play_row.h"
#include "harness/suite/progress.h"
#include "harness/suite/run_row.h"
#include "harness/suite/scene_row.h"
#include "harness/suite/threshold_row.h"

namespace locklab {

/// How much of it is done.
struct SuiteSize {
    std::string mode;  ///< "quick" or "full"
    std::uint64_t sim_runs = 0;
    std::uint64_t live_runs = 0;

    /// So few runs show that it works, and little else: then other parts are brief, too.
    bool is_tried_out() const { return live_runs < 40; }
    bool is_full() const { return mode == "full"; }
};

/// What the sections found, as rows of the files that it is written to: so a suite that was
/// interrupted can be read and gone on with.
struct SuiteResult {
    /// One row for each lock, question and number of clients.
    std::vector<ThresholdRow> thresholds;
    /// Of each lock, hazard and verdict, the shortest witness that these have.
    std::vector<WitnessRow> witnesses;
    std::vector<SuiteCellRow> sim_cells;
    std::vector<SuiteCellRow> live_cells;
    /// One point for each lock, TTL and length of pauses.
    std::vector<SurfacePoint> surface;
    std::vector<PlayRow> plays;                        ///< in sim and then live
    std::optional<std::vector<RaceRow>> races;         ///< nothing: not begun
    std::optional<std::vector<LibraryRow>> libraries;  ///< the same; empty: none is installed
    std::optional<BenchRows> bench;                    ///< the same
    std::string redis;  ///< version; empty if the live part did not begin

    std::vector<std::string> finished;  ///< names of sections
    std::vector<SectionTime> took;      ///< of these
    std::vector<MissingSection> missing;
    bool complete = false;  ///< no section is left
    bool running = false;   ///< it goes on after this was written

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
    Watcher watcher;
    /// Names of the sections that were asked for; the others are left out. Empty: all.
    std::vector<std::string> sections;

    bool was_asked_for(std::string_view section) const;
};

/// The Redis of the live parts, made when it is first asked for.
class SuiteServer {
public:
    SuiteServer(std::string redis, Watcher watcher)
        : redis_(std::move(redis)), watcher_(std::move(watcher)) {}

    /// Null where there is none, or none that can be started; `why_not()` then says why.
    LiveServer* get();
    const std::string& why_not() const { return why_not_; }

private:
    std::string redis_;
    Watcher watcher_;
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
void run_library_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);
void run_bench_section(const SuiteContext&, SuiteServer&, SuiteProgress&, SuiteResult&);

/// In the order in which they are run. The names are those that --sections takes.
inline constexpr std::array<SuiteSection, 7> kSuiteSections{{
    {"sim", "campaigns in the simulator", run_sim_section},
    {"thresholds", "least faults that break each lock", run_threshold_section},
    {"surface", "TTLs against pauses", run_surface_section},
    {"live", "campaigns on a real Redis", run_live_section},
    {"scenarios", "races of the articles", run_scenario_section},
    {"libraries", "libraries that are installed", run_library_section},
    {"bench", "what each lock costs", run_bench_section},
}};

/// How many of the sections that were asked for are not finished.
std::size_t sections_to_come(const SuiteContext& context, const SuiteResult& result);

/// Runs the sections that were asked for and are not finished. What they have is saved before the
/// next one begins: whatever happens, it is kept. The page is drawn as soon as there is something
/// to see, and again as sections end.
void run_sections(const SuiteContext& context, const SuiteVoice& voice, SuiteResult& result,
                  const std::function<void()>& save, const std::function<void()>& draw);

/// The options that the suite gives every lock, so that all are struck alike.
CampaignOptions suite_options(WorldKind world, Hazard hazard);

}  // namespace locklab
