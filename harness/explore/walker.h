// One random schedule after the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/explore/path.h"
#include "harness/explore/walk_map.h"

namespace locklab {

enum class Strategy : std::uint8_t {
    /// Every calm step that can be made is as likely as any other. The faults, when they strike,
    /// and whether they may end before their time are drawn before, so that they are not thinned
    /// out by all the steps at which they could.
    uniform,
    /// The client with the highest priority goes on; at some moments, drawn before, the first
    /// becomes the last (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees
    /// of Finding Bugs", ASPLOS 2010). Faults as above.
    pct,
    /// A client goes on until it can no more, then the next; at some moments, drawn before, the
    /// next must go on (Emmi et al., "Delay-Bounded Scheduling", POPL 2011). Faults as above.
    delay_bounded,
    /// Every step that can be made, a fault too, is as likely as any other: what the exact
    /// probability of a violation is of.
    walk,
};

class Walker {
public:
    /// `changes`: priorities change, or clients are delayed, so often in a schedule.
    /// It remembers so many branches of where it has been, which changes nothing but its speed.
    Walker(const Algorithm& algorithm, const Bounds& bounds, Strategy strategy,
           std::uint32_t changes, std::size_t most_remembered = WalkMap::kMostBranches);

    /// Schedule `number` of that seed, to its end or to a violation. True if it is violated.
    bool walk(std::uint64_t seed, std::uint64_t number);
    const Path& path() const { return path_; }
    /// What all schedules have exercised.
    const Coverage& coverage() const { return coverage_; }
    Rules& rules() { return rules_; }

private:
    using Branches = std::span<const WalkMap::Branch>;

    struct Strike {
        std::size_t number;  ///< as WalkMap has it
        std::uint32_t at;    ///< step
    };

    bool try_walk();
    void take_answers();
    void plan();
    void look_for_first_strike();
    /// Indices are of the branches of a place.
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
    Offered offered_ = Offered::all;  ///< in this schedule, where no fault strikes
    std::vector<Strike> strikes_;
    std::uint32_t first_strike_ = ~0U;    ///< the earliest of them; far away: there is none
    std::vector<std::uint32_t> moments_;  ///< of changes, as steps
    std::vector<std::uint8_t> order_;     ///< of the clients, the first goes on
    std::vector<std::size_t> fitting_;
    Path path_;
    Coverage coverage_;
    std::size_t answers_ = 0;  ///< that the coverage has, of those since the rules began anew
};

}  // namespace locklab
