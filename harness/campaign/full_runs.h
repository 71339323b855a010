// Extends a full campaign in real time until its clean runs leave little open.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/check/run_bound.h"
#include "harness/explore/sim_campaign.h"

namespace locklab {

/// Most extensions: if the machine disturbs run after run, more do not help.
inline constexpr int kMostGoes = 5;

/// Adds the runs that a LiveCell or ForeignCell still needs after those counted. False: none.
template <class Cell>
bool give_more_runs(Cell& cell) {
    const std::uint64_t most = kMostFullRuns - std::min(kMostFullRuns, cell.runs);
    cell.first = cell.runs;
    cell.runs += std::min(cell.count.runs_to(kFullLeavesOpen), most);
    return cell.first < cell.runs;
}

}  // namespace locklab
