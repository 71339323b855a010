// A campaign cell for `campaign --json`, and for a suite's files.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/campaign_count.h"
#include "harness/check/interval.h"
#include "harness/core/run_spec.h"
#include "harness/core/world_kind.h"
#include "harness/inclusion/inclusion.h"
#include "harness/record/oracle_fields.h"

namespace locklab {

/// The keys of the campaign contract (design section 6), and more. Empty texts are null, except
/// names.
struct CellRow {
    std::string algorithm;
    std::vector<std::string> hazards;
    Verdict verdict = Verdict::unknown;
    /// With a clean verdict: its bound (run_bound.h).
    std::optional<double> goes_wrong_at_most;
    std::uint64_t runs = 0;
    std::uint64_t grants = 0;
    std::uint64_t overlaps = 0;
    std::uint64_t lost_updates = 0;
    std::uint64_t fence_inversions = 0;
    std::uint64_t stuck = 0;
    std::uint64_t stuck_until_ttl = 0;
    Duration longest_orphan_wait{0};
    std::uint64_t unknown_runs = 0;
    CauseCounts causes;
    std::uint64_t without_cause = 0;
    Rate overlaps_per_1000_grants;
    std::uint64_t writes = 0;
    std::uint64_t erased_writes = 0;
    std::uint64_t denied = 0;
    Rate erased_per_1000_writes;
    std::uint64_t violated_runs = 0;
    Rate violated_share;
    double throughput_per_s = 0;
    WaitPercentiles waits;
    double commands_per_grant = 0;
    double jain = 0;
    std::uint64_t unknown_answers = 0;
    Notices notices;
    Refusals refusals;
    /// Nothing in rows of older runs.
    std::optional<OracleResults> oracles;
    std::optional<std::uint64_t> commands_in_worst_second;
    std::optional<Duration> worst_lag;  ///< if time was real
    std::uint64_t error_answers = 0;
    std::uint64_t failed_tries = 0;
    std::string first_error;
    std::string replay;
    std::string why_unknown;
    std::optional<std::string> cut_short;  ///< why fewer runs were made than were asked for
    std::string faults;
    std::optional<Duration> pause_every;
    std::optional<Duration> pause_length;
    std::optional<std::uint64_t> false_refusal_run;
    /// The clients that never got the lock in the shortest stuck run, and that run.
    std::optional<std::uint64_t> stuck_run;
    std::optional<std::vector<std::uint32_t>> stuck_clients;
    /// By hazard of the budget.
    std::vector<std::pair<std::string, std::uint64_t>> strikes;
    std::uint64_t disturbed_runs = 0;
    /// Runs that were left out, by disturbance; and what the server said.
    struct Disturbances {
        /// All kinds but the last.
        std::array<std::uint64_t, kDisturbances.size() - 1> runs{};
        std::optional<std::uint64_t> by_driver;
        std::string words;
    } disturbances;
};

/// The fields of a tally; the rest is empty.
CellRow counted_row(const Tally& tally);
/// `replay` may be empty.
CellRow cell_row(const RunSpec& spec, const CampaignCount& count, const std::string& replay);

nlohmann::ordered_json to_json(const CellRow& row);
/// For a live cell, besides its row: whether the rules allow its histories.
nlohmann::ordered_json to_json(const InclusionCount& count);

/// Results in the simulator of runs like those of a live cell: with its TTL, grants, jobs and
/// time-outs.
struct LikeRuns {
    std::uint64_t runs = 0;
    std::uint64_t violated = 0;
    std::uint64_t stuck = 0;
    std::string command;  ///< the command that repeats them
};

/// A cell of a suite.
struct SuiteCellRow {
    WorldKind world = WorldKind::sim;
    Hazard hazard = kNoFault;
    std::string claim;  ///< "safe", "broken", or ""
    bool as_claimed = false;
    /// For a live cell with another verdict than declared, or than the simulator's cell.
    std::optional<LikeRuns> like;
    CellRow cell;
    std::string witness;  ///< a file, relative to the folder of the run; or empty
    std::string command;
};

/// Whether the verdict agrees with the declaration: for a lock that survives the hazard, `holds`,
/// or `not seen`, which says less; for a lock that it breaks, violated or stuck. A break that few
/// runs did not show is no agreement.
bool came_out_as(const std::string& claim, Verdict verdict);
/// Whether the cell says the opposite. Missing a break in live runs does not: they are few.
bool contradicts_claim(const SuiteCellRow& row);

nlohmann::ordered_json to_json(const SuiteCellRow& row);
void read_row(const nlohmann::ordered_json& json, SuiteCellRow& row);

/// The row of a lock that the hazard cannot strike.
nlohmann::ordered_json not_applicable_json(WorldKind world, const Algorithm& algorithm,
                                           Hazard hazard);
/// Whether the JSON is such a row.
bool is_not_applicable(const nlohmann::ordered_json& json);

/// A point of a surface: a lock, its TTL, and the length of pauses.
struct SurfacePoint {
    std::optional<Duration> ttl;
    std::uint32_t clients = 0;
    Duration longest_job{0};
    Duration pause_length{0};
    Duration pause_every{0};
    CellRow cell;  ///< only the fields that the surface shows
};

nlohmann::ordered_json to_json(const SurfacePoint& point);
void read_row(const nlohmann::ordered_json& json, SurfacePoint& point);

}  // namespace locklab
