// Sets of faults, for searches for the least set that breaks a lock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/core/fault_budget.h"

namespace locklab {

/// Every set of exactly `count` of these hazards, with repetition, in their order.
std::vector<FaultBudget> fault_sets(std::span<const Hazard> hazards, std::uint32_t count);

/// Whether every fault of `part` is in `set`, at least as often.
bool contains(const FaultBudget& set, const FaultBudget& part);

}  // namespace locklab
