#include "harness/core/fault_sets.h"

namespace locklab {

namespace {

void add_sets(std::span<const Hazard> hazards, std::uint32_t count, const FaultBudget& so_far,
              std::vector<FaultBudget>& sets) {
    if (count == 0) {
        sets.push_back(so_far);
        return;
    }
    for (std::size_t i = 0; i < hazards.size(); ++i) {
        FaultBudget more = so_far;
        ++more[hazards[i]];
        add_sets(hazards.subspan(i), count - 1, more, sets);
    }
}

}  // namespace

std::vector<FaultBudget> fault_sets(std::span<const Hazard> hazards, std::uint32_t count) {
    std::vector<FaultBudget> sets;
    add_sets(hazards, count, FaultBudget(), sets);
    return sets;
}

bool contains(const FaultBudget& set, const FaultBudget& part) {
    return std::ranges::all_of(
        kHazards, [&](const HazardRow& row) { return set[row.hazard] >= part[row.hazard]; });
}

}  // namespace locklab
