// Campaigns of driver processes: many runs of one lock behind the fault proxy, judged and counted
// like those in our own worlds.
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
    std::uint64_t first = 0;  ///< earlier runs are counted already
    std::uint64_t runs;
    CampaignCount count;
    InclusionCount inclusion;  ///< of runs with commands
    Told told;
    std::set<std::uint32_t> seen_inside;  ///< clients with a step that was answered ok
    std::uint64_t fenced_grants = 0;      ///< grants with a fencing token
    std::uint64_t proved = 0;             ///< overlaps
    LostRuns lost{};
    std::uint64_t complaints = 0;  ///< what drivers said of themselves, unasked
    Duration longest_recovery{0};  ///< from the crash of a holder to the next grant
    /// By server: that named the lock's key.
    std::vector<std::uint64_t> commands = std::vector<std::uint64_t>(spec.topology.nodes());
    Hangs hangs{};
    std::uint64_t grants_asked = 0;  ///< of runs whose clients did not all die early
    std::uint64_t short_runs = 0;    ///< runs that ended before they had their grants
    std::string why_short;           ///< of the first short run: half a sentence
    std::uint64_t hung_runs = 0;     ///< runs in which a driver hung
    std::string why_hung;            ///< of the first of them: half a sentence
    std::uint32_t nodes_asked = 0;   ///< servers that the lock says it asks
    std::string redis;               ///< version of its servers, as probe() says it
    bool has_own_timeouts = false;
    bool has_own_servers = false;  ///< they are not Redis
    std::string first_error;       ///< first error of the library; empty: none
    std::optional<History> witness;
};

/// Uses servers of its own, those of the cell's topology. Throws DriverTrouble, and
/// std::runtime_error if there is no redis-server.
void run_foreign_campaign(ForeignCell& cell, const Subject& subject, std::uint64_t seed, Team& team,
                          const Watcher& watcher);

/// The same in this many threads, each with servers and drivers of its own: runs wait most of their
/// time. The choice of the witness may depend on which run ended first.
void run_foreign_campaign(ForeignCell& cell, const Subject& subject, std::uint64_t seed,
                          std::size_t threads, const Watcher& watcher);

/// The lines that only a cell of drivers has, each with its end.
std::string told_text(const ForeignCell& cell);

}  // namespace locklab
