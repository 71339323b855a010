// One random schedule after the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/core/random_choices.h"
#include "harness/explore/path.h"

namespace locklab {

enum class Strategy : std::uint8_t {
    /// Every calm step that can be made is as likely as any other. The faults, when they strike,
    /// and
    /// whether they may end before their time are drawn before, so that they are not thinned out by
    /// all the steps at which they could.
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
    Walker(const Algorithm& algorithm, const Bounds& bounds, Strategy strategy,
           std::uint32_t changes);

    /// Schedule `number` of that seed, to its end or to a violation. True if it is violated.
    bool walk(std::uint64_t seed, std::uint64_t number);
    const Path& path() const { return path_; }
    Rules& rules() { return rules_; }

private:
    struct Strike {
        Hazard hazard;
        std::uint32_t at;    ///< step
        bool saves = false;  ///< the server takes down its data, for a restart later
    };

    bool try_walk();
    void plan();
    void look_for_first_strike();
    Step choose(const State& state);
    bool strikes(const State& state, Step& fault);
    Step choose_calm();
    bool first_in_order(Step& step);
    template <class Fits>
    bool any_of(Fits fits, Step& step);
    std::uint32_t draw(std::size_t count);

    Rules rules_;
    const Strategy strategy_;
    const std::uint32_t changes_;
    RandomChoices random_{0};
    bool early_ = false;  ///< in this schedule, jobs and faults may end before their time
    std::vector<Strike> strikes_;
    std::uint32_t first_strike_ = 0;      ///< the earliest of them
    std::vector<std::uint32_t> moments_;  ///< of changes, as steps
    std::vector<std::uint8_t> order_;     ///< of the clients, the first goes on
    std::vector<Step> steps_;
    std::vector<Step> fitting_;
    Path path_;
};

}  // namespace locklab
