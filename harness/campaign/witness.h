// Evidence for a bad verdict: a trace to replay (sim), or the history itself (live).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "harness/campaign/foreign_campaign.h"
#include "harness/campaign/live_campaign.h"
#include "harness/check/campaign_count.h"
#include "harness/core/run_spec.h"

namespace locklab {

struct Witness {
    std::string file;    ///< its name in its folder; empty: there is none
    std::string replay;  ///< the command; empty: there is none
};

/// Repeats the campaign's shortest bad run and writes its trace into `folder`, which is made if
/// necessary. Empty if nothing went wrong. Throws FileError.
Witness write_sim_witness(const RunSpec& spec, const CampaignCount& count, std::uint64_t seed,
                          const std::filesystem::path& folder);

/// The same for a live cell: its history, and the command that judges it.
Witness write_live_witness(const LiveCell& cell, const std::filesystem::path& folder);
/// The same for driver processes.
Witness write_foreign_witness(const ForeignCell& cell, const std::filesystem::path& folder);

}  // namespace locklab
