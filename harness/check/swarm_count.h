// The runs of a swarm, grouped by what was drawn for them: which faults, how many clients, which
// TTL. A fault in many violated runs and few others is likely part of what breaks a lock.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "harness/check/cause.h"
#include "harness/check/judge.h"
#include "harness/core/fault_budget.h"

namespace locklab {

class SwarmCount {
public:
    /// Runs that have a draw in common.
    struct Row {
        std::uint64_t runs = 0;
        std::uint64_t violated = 0;
        std::uint64_t stuck = 0;
        CauseCounts causes;  ///< the number of runs in which each was found
    };
    struct FaultRow {
        Row with;  ///< runs for which the fault was drawn
        Row without;
        std::uint64_t struck = 0;  ///< runs in which it actually struck
    };
    /// The first violated run among those with the fewest kinds of faults that struck.
    struct Fewest {
        std::uint64_t run = 0;
        HazardSet struck;
    };

    void add(const Draw& draw, std::uint64_t run, const HazardSet& struck,
             const Judgement& judgement);

    const Row& all() const { return all_; }
    const FaultRow& of(Hazard hazard) const { return faults_[static_cast<std::size_t>(hazard)]; }
    /// By the set of drawn faults, as a number: bit i is the ith of kHazards.
    const std::map<std::uint32_t, Row>& subsets() const { return subsets_; }
    const std::map<std::uint32_t, Row>& clients() const { return clients_; }
    const std::map<Duration, Row>& ttls() const { return ttls_; }
    const std::optional<Fewest>& fewest() const { return fewest_; }

private:
    Row all_;
    std::array<FaultRow, kHazards.size()> faults_;
    std::map<std::uint32_t, Row> subsets_;
    std::map<std::uint32_t, Row> clients_;
    std::map<Duration, Row> ttls_;
    std::optional<Fewest> fewest_;
};

/// The set that a key of subsets() stands for.
HazardSet hazards_in(std::uint32_t subset);

}  // namespace locklab
