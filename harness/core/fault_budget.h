// How many of each fault a run may have, and what a swarm drew for one run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "harness/core/hazard.h"
#include "harness/core/time.h"

namespace locklab {

/// How many of each hazard a run may have. Hazard::contention has no budget: it is always there.
class FaultBudget {
public:
    std::uint32_t& operator[](Hazard hazard) { return counts_[index(hazard)]; }
    std::uint32_t operator[](Hazard hazard) const { return counts_[index(hazard)]; }
    bool operator==(const FaultBudget&) const = default;
    /// Whether the budget has a hazard whose row fits.
    template <class Fits>
    bool has(Fits fits) const {
        return std::ranges::any_of(
            kHazards, [&](const HazardRow& row) { return (*this)[row.hazard] > 0 && fits(row); });
    }
    bool has(FaultSize size) const {
        return has([size](const HazardRow& row) { return row.size == size; });
    }
    /// Whether for a while nobody, or one client, gets an answer from a server.
    bool silences() const { return has(FaultSize::hang) || has(FaultSize::cut); }
    bool takes_over() const {
        return has([](const HazardRow& row) { return locklab::takes_over(row.hazard); });
    }

private:
    static std::size_t index(Hazard hazard) { return static_cast<std::size_t>(hazard); }
    std::array<std::uint32_t, kHazards.size()> counts_{};
};

/// What a swarm drew for one run, besides its number of clients.
struct Draw {
    FaultBudget faults;
    Duration ttl{0};  ///< or the time that stands for one
    bool operator==(const Draw&) const = default;
};

}  // namespace locklab
