// Campaigns of driver processes: many runs of one lock behind the fault proxy, judged and counted
// as those of our own worlds are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"
#include "harness/core/watcher.h"
#include "harness/foreign/foreign_run.h"

namespace locklab {

/// One lock under one budget.
struct ForeignCell {
    ForeignCell(RunSpec its_spec, std::uint64_t its_runs)
        : spec(std::move(its_spec)), runs(its_runs), count(spec.budget, orphan_limit(spec)) {}

    RunSpec spec;
    std::uint64_t first = 0;  ///< of its runs, those before it are counted already
    std::uint64_t runs;
    CampaignCount count;
    InclusionCount inclusion;  ///< of runs with commands
    Told told;
    std::set<std::uint32_t> seen_inside;  ///< clients of which a step was answered ok
    std::uint64_t fenced_grants = 0;      ///< that had a fencing token
    std::uint64_t proved = 0;             ///< overlaps
    LostRuns lost{};
    std::uint64_t complaints = 0;  ///< what drivers said of themselves, unasked
    Duration longest_recovery{0};  ///< from the crash of a holder to the next grant
    /// By server: that named the lock's key.
    std::vector<std::uint64_t> commands = std::vector<std::uint64_t>(spec.topology.masters);
    std::uint64_t grants_asked = 0;  ///< of runs whose clients are not all dead before
    std::uint64_t short_runs = 0;    ///< that ended before they had their grants
    std::string why_short;           ///< of the first of these: half a sentence
    std::uint32_t nodes_asked = 0;   ///< of these, how many the lock says that it asks
    bool has_own_timeouts = false;
    std::string first_error;  ///< that the library gave; empty: none did
    std::optional<History> witness;
};

/// With servers of its own, as many as the cell's topology has masters. Throws DriverTrouble, and
/// std::runtime_error where there is none.
void run_foreign_campaign(ForeignCell& cell, const Subject& subject, std::uint64_t seed, Team& team,
                          const Watcher& watcher);

/// The same in so many threads, each with servers and drivers of its own: runs wait most of their
/// time. Which run is the witness may depend on which was over first.
void run_foreign_campaign(ForeignCell& cell, const Subject& subject, std::uint64_t seed,
                          std::size_t threads, const Watcher& watcher);

/// What a cell says beside what every campaign's does: lines, each with its end.
std::string told_text(const ForeignCell& cell);

}  // namespace locklab
