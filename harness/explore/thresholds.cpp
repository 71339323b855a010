#include "harness/explore/thresholds.h"

#include <algorithm>

namespace locklab {

namespace {

constexpr std::chrono::milliseconds kMs{1};

/// What a bisection can make smaller. Several faults share a length.
Duration* amount_of(Bounds& bounds, Hazard hazard) {
    switch (hazard) {
        case Hazard::slow_job: return &bounds.slow_job;
        case Hazard::pause:
        case Hazard::stall: return &bounds.pause;
        case Hazard::delay_request:
        case Hazard::delay_reply: return &bounds.delay;
        case Hazard::clock_offset:
        case Hazard::clock_jump:
        case Hazard::server_clock_jump: return &bounds.clock;
        default: return nullptr;
    }
}

std::vector<Hazard> hazards_for(const Algorithm& algorithm) {
    std::vector<Hazard> hazards;
    for (const HazardRow& row : kHazards) {
        if (row.hazard != Hazard::contention && applies(algorithm, row.hazard))
            hazards.push_back(row.hazard);
    }
    return hazards;
}

/// Every set of exactly `count` faults, with repetition, in the order of kHazards.
void add_sets(const std::vector<Hazard>& hazards, std::size_t from, std::uint32_t count,
              const FaultBudget& so_far, std::vector<FaultBudget>& sets) {
    if (count == 0) {
        sets.push_back(so_far);
        return;
    }
    for (std::size_t i = from; i < hazards.size(); ++i) {
        FaultBudget more = so_far;
        ++more[hazards[i]];
        add_sets(hazards, i, count - 1, more, sets);
    }
}

bool contains(const FaultBudget& set, const FaultBudget& part) {
    return std::all_of(kHazards.begin(), kHazards.end(),
                       [&](const HazardRow& row) { return set[row.hazard] >= part[row.hazard]; });
}

std::optional<Hazard> only_one(const FaultBudget& faults) {
    std::optional<Hazard> found;
    for (const HazardRow& row : kHazards) {
        if (faults[row.hazard] == 0) continue;
        if (found || faults[row.hazard] > 1) return std::nullopt;
        found = row.hazard;
    }
    return found;
}

}  // namespace

Thresholds find_thresholds(const Algorithm& algorithm, const std::vector<Bounds>& searches,
                           std::uint32_t most_faults, const SearchLimits& limits,
                           const std::atomic<bool>& stop, const TellProgress& tell) {
    Thresholds found;
    found.algorithm = &algorithm;
    found.searches = searches;
    found.goal = limits.goal;
    const Prover prover(algorithm, limits);
    // The least amount is that of the search that found the set.
    const auto bisect = [&](Threshold& threshold) {
        const std::optional<Hazard> hazard = only_one(threshold.faults);
        Bounds with = threshold.bounds;
        Duration* const amount = hazard ? amount_of(with, *hazard) : nullptr;
        if (amount == nullptr) return;
        std::int64_t breaks = *amount / kMs;
        std::int64_t holds = 0;
        std::size_t steps = threshold.witness.steps.size();
        while (breaks - holds > 1) {
            const std::int64_t middle = (holds + breaks) / 2;
            *amount = middle * kMs;
            const SearchResult result = search_exhaustively(algorithm, with, limits, stop, tell);
            if (result.verdict == Verdict::unknown) return;
            const bool is_enough = result.verdict != Verdict::holds;
            (is_enough ? breaks : holds) = middle;
            if (is_enough) steps = result.witness.steps.size();
        }
        threshold.least_steps = steps;
        threshold.least = breaks * kMs;
    };
    for (std::uint32_t count = 0; count <= most_faults; ++count) {
        std::vector<FaultBudget> sets;
        add_sets(hazards_for(algorithm), 0, count, FaultBudget(), sets);
        for (const FaultBudget& faults : sets) {
            const bool is_minimal = std::none_of(
                found.minimal.begin(), found.minimal.end(),
                [&](const Threshold& other) { return contains(faults, other.faults); });
            if (!is_minimal) continue;
            std::vector<Bounds> with = searches;
            for (Bounds& bounds : with) bounds.faults = faults;
            const Proof proof = prover.prove(with, stop, tell);
            if (stop) return found;
            if (proof.verdict == Verdict::holds) {
                found.harmless.push_back(faults);
                found.coverage.add(proof.coverage);
            } else if (proof.verdict == Verdict::unknown) {
                found.unknown.push_back({faults, proof.why_unknown});
            } else {
                const Searched& shown = proof.shown();
                found.minimal.push_back(
                    {faults, proof.verdict, shown.result.witness, shown.bounds, {}, 0});
                bisect(found.minimal.back());
            }
        }
    }
    found.complete = true;
    return found;
}

}  // namespace locklab
