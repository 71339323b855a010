// What is told of one campaign cell: by `campaign --json`, and in a suite's files.
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

/// The keys of the campaign contract (design section 6), and more. Empty texts are null, but for
/// the names.
struct CellRow {
    std::string algorithm;
    std::vector<std::string> hazards;
    Verdict verdict = Verdict::unknown;
    /// Of a verdict that is clean: the bound that stands beside it (run_bound.h).
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
    std::optional<Duration> worst_lag;  ///< where time was real
    std::uint64_t error_answers = 0;
    std::uint64_t failed_tries = 0;
    std::string first_error;
    std::string replay;
    std::string why_unknown;
    std::string faults;
    std::optional<Duration> pause_every;
    std::optional<Duration> pause_length;
    std::optional<std::uint64_t> false_refusal_run;
    /// Who never got the lock in the shortest run that was stuck, and which run that is.
    std::optional<std::uint64_t> stuck_run;
    std::optional<std::vector<std::uint32_t>> stuck_clients;
    /// Of each hazard of the budget.
    std::vector<std::pair<std::string, std::uint64_t>> strikes;
    std::uint64_t disturbed_runs = 0;
    /// Runs that were left out, by what disturbed them; and what the server said of it.
    struct Disturbances {
        std::array<std::uint64_t, kDisturbances.size()> runs{};
        std::string words;
    } disturbances;
};

/// What a tally says; the rest is empty.
CellRow counted_row(const Tally& tally);
/// `replay` may be empty.
CellRow cell_row(const RunSpec& spec, const CampaignCount& count, const std::string& replay);

nlohmann::ordered_json to_json(const CellRow& row);
/// Of a live cell, beside its row: whether the rules allow its histories.
nlohmann::ordered_json to_json(const InclusionCount& count);

/// What the simulator makes of runs that are like a live cell's: with its TTL, grants, jobs and
/// time-outs.
struct LikeRuns {
    std::uint64_t runs = 0;
    std::uint64_t violated = 0;
    std::uint64_t stuck = 0;
    std::string command;  ///< that counts them again
};

/// A cell of a suite.
struct SuiteCellRow {
    WorldKind world = WorldKind::sim;
    Hazard hazard = kNoFault;
    std::string claim;  ///< "safe", "broken", or ""
    bool as_claimed = false;
    /// Of a live cell that did not come out as it is declared, or as the simulator's cell.
    std::optional<LikeRuns> like;
    CellRow cell;
    std::string witness;  ///< a file, named from the folder of the run; or empty
    std::string command;
};

/// Whether the verdict is the one that is declared: of a lock that survives the hazard, holds, or
/// not seen, which agrees with it and says less; of one that it breaks, violated or stuck. A break
/// that few runs did not see is not as declared.
bool came_out_as(const std::string& claim, Verdict verdict);
/// Whether the cell says the opposite. A break that live runs did not see is not: they are few.
bool contradicts_claim(const SuiteCellRow& row);

nlohmann::ordered_json to_json(const SuiteCellRow& row);
void read_row(const nlohmann::ordered_json& json, SuiteCellRow& row);

/// The row of a lock that the hazard cannot strike.
nlohmann::ordered_json not_applicable_json(WorldKind world, const Algorithm& algorithm,
                                           Hazard hazard);
/// Whether this is one of these.
bool is_not_applicable(const nlohmann::ordered_json& json);

/// A point of a surface: a lock, its TTL, and how long pauses are.
struct SurfacePoint {
    std::optional<Duration> ttl;
    std::uint32_t clients = 0;
    Duration longest_job{0};
    Duration pause_length{0};
    Duration pause_every{0};
    CellRow cell;  ///< some of it: what the surface shows
};

nlohmann::ordered_json to_json(const SurfacePoint& point);
void read_row(const nlohmann::ordered_json& json, SurfacePoint& point);

}  // namespace locklab
