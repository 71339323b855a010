// Of a full campaign in real time: how it goes on until its clean runs leave little open.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/check/run_bound.h"
#include "harness/explore/sim_campaign.h"

namespace locklab {

/// So often it goes on: where this machine disturbs run after run, more do not help.
inline constexpr int kMostGoes = 5;

/// Gives a LiveCell or a ForeignCell, whose runs are counted, as many more as it lacks. False:
/// none.
template <class Cell>
bool give_more_runs(Cell& cell) {
    const std::uint64_t most = kMostFullRuns - std::min(kMostFullRuns, cell.runs);
    cell.first = cell.runs;
    cell.runs += std::min(cell.count.runs_to(kFullLeavesOpen), most);
    return cell.first < cell.runs;
}

}  // namespace locklab
