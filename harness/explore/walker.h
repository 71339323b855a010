// Walks random schedules, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/explore/path.h"
#include "harness/explore/walk_map.h"

namespace locklab {

enum class Strategy : std::uint8_t {
    /// Every fault-free step that can be made is equally likely. Which faults strike when, and
    /// whether things may end early, is drawn beforehand, so that faults are not diluted by the
    /// many steps at which they could strike.
    uniform,
    /// The client with the highest priority goes on; at moments drawn beforehand, the first becomes
    /// the last (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of
    /// Finding Bugs", ASPLOS 2010). Faults as above.
    pct,
    /// A client goes on until it cannot, then the next; at moments drawn beforehand, the next must
    /// go on (Emmi et al., "Delay-Bounded Scheduling", POPL 2011). Faults as above.
    delay_bounded,
    /// Every step that can be made, faults included, is equally likely: the exact probability of a
    /// violation (see Odds) is for this walk.
    walk,
};

class Walker {
public:
    /// `changes`: how often priorities change, or clients are delayed, in a schedule.
    /// `most_remembered`: branches kept in the map, which affects only the speed.
    Walker(const Algorithm& algorithm, const Bounds& bounds, Strategy strategy,
           std::uint32_t changes, std::size_t most_remembered = WalkMap::kMostBranches);

    /// Walks schedule `number` of that seed, to its end or to a violation. True if violated.
    bool walk(std::uint64_t seed, std::uint64_t number);
    const Path& path() const { return path_; }
    /// What all schedules so far have exercised.
    const Coverage& coverage() const { return coverage_; }
    Rules& rules() { return rules_; }

private:
    using Branches = std::span<const WalkMap::Branch>;

    struct Strike {
        std::size_t number;  ///< a number of WalkMap
        std::uint32_t at;    ///< number of the step
    };

    bool try_walk();
    void take_answers();
    void plan();
    void look_for_first_strike();
    /// Indices into the branches of a place.
    std::optional<std::size_t> strike(std::uint32_t place);
    std::size_t choose(Branches branches);
    std::optional<std::size_t> first_in_order(Branches branches);
    template <class Fits>
    std::optional<std::size_t> any_of(Branches branches, Fits fits);
    std::uint32_t draw(std::size_t count);

    Rules rules_;
    WalkMap map_;
    const Strategy strategy_;
    const std::uint32_t changes_;
    RandomChoices random_{0};
    Offered offered_ = Offered::all;  ///< in this schedule, while no fault strikes
    std::vector<Strike> strikes_;
    std::uint32_t first_strike_ = ~0U;    ///< the earliest strike; the maximum: none
    std::vector<std::uint32_t> moments_;  ///< of changes, as numbers of steps
    std::vector<std::uint8_t> order_;     ///< of the clients; the first goes on
    std::vector<std::size_t> fitting_;
    Path path_;
    Coverage coverage_;
    std::size_t answers_ = 0;  ///< number of answers already in the coverage
};

}  // namespace locklab
