#include "harness/explore/random_search.h"

#include <algorithm>
#include <array>

#include "harness/core/random_choices.h"
#include "harness/explore/step_text.h"

namespace locklab {

namespace {

/// Faults strike, and priorities change, within so many steps for each client and round.
constexpr std::uint32_t kStepsPerRound = 16;
constexpr std::uint64_t kTellEvery = 1024;

class Walker {
public:
    Walker(Rules& rules, const RandomLimits& limits) : rules_(rules), limits_(limits) {}

    /// One schedule, to its end or to a violation. True if it is violated.
    bool walk(std::uint64_t number) {
        RandomChoices random(limits_.seed, number);
        random_ = &random;
        const std::vector<State>& starts = rules_.initial();
        State state = starts[draw(static_cast<std::uint32_t>(starts.size()))];
        path_ = path_from(rules_, state);
        plan();
        while (!rules_.is_violated(state)) {
            rules_.offer(state, next_);
            if (next_.empty()) return false;
            path_.steps.push_back(next_[choose()]);
            state = rules_.after(state, path_.steps.back());
        }
        return true;
    }
    const Path& path() const { return path_; }

private:
    std::uint32_t draw(std::uint32_t count) { return random_->pick(ChoiceKind::next_event, count); }

    void plan() {
        const Bounds& bounds = rules_.bounds();
        const std::uint32_t horizon = kStepsPerRound * bounds.clients * bounds.rounds;
        strikes_.clear();
        for (const HazardRow& row : kHazards) {
            for (std::uint32_t i = 0; i < bounds.faults[row.hazard]; ++i) {
                strikes_.push_back({row.hazard, draw(horizon)});
            }
        }
        changes_.clear();
        for (std::uint32_t i = 0; i < limits_.changes; ++i) changes_.push_back(draw(horizon));
        for (std::uint8_t i = 0; i < order_.size(); ++i) {
            order_[i] = i;
            std::swap(order_[i], order_[draw(i + 1U)]);
        }
    }

    /// A fault whose time has come, or else a calm step.
    std::size_t choose() {
        const auto now = static_cast<std::uint32_t>(path_.steps.size());
        for (Strike& strike : strikes_) {
            if (strike.at > now) continue;
            const std::size_t fault =
                any_of([&](const Step& step) { return hazard_of(step) == strike.hazard; });
            if (fault == next_.size()) continue;
            std::swap(strike, strikes_.back());
            strikes_.pop_back();
            return fault;
        }
        const auto calm = [](const Step& step) { return !is_fault(step); };
        // Where time can pass nobody must act, and who has the priority need not either.
        const bool may_rest = std::any_of(next_.begin(), next_.end(), [](const Step& step) {
            return step.kind == Step::Kind::pass;
        });
        if (limits_.strategy == RandomStrategy::pct && !may_rest) {
            if (std::find(changes_.begin(), changes_.end(), now) != changes_.end()) {
                std::rotate(order_.begin(), order_.begin() + 1, order_.end());
            }
            for (const std::uint8_t client : order_) {
                const std::size_t its =
                    any_of([&](const Step& step) { return calm(step) && step.client == client; });
                if (its != next_.size()) return its;
            }
        }
        const std::size_t step = any_of(calm);
        LOCKLAB_ASSERT(step != next_.size() && "where faults can strike, somebody can go on");
        return step;
    }

    /// One of those that fit, all as likely; next_.size() if none does.
    template <class Fits>
    std::size_t any_of(Fits fits) {
        fitting_.clear();
        for (std::size_t i = 0; i < next_.size(); ++i) {
            if (fits(next_[i])) fitting_.push_back(i);
        }
        if (fitting_.empty()) return next_.size();
        return fitting_[draw(static_cast<std::uint32_t>(fitting_.size()))];
    }

    struct Strike {
        Hazard hazard;
        std::uint32_t at;  ///< step
    };

    Rules& rules_;
    const RandomLimits& limits_;
    RandomChoices* random_ = nullptr;
    std::vector<Strike> strikes_;
    std::vector<std::uint32_t> changes_;
    std::array<std::uint8_t, Bounds::kMostClients> order_{};
    std::vector<Step> next_;
    std::vector<std::size_t> fitting_;
    Path path_;
};

}  // namespace

RandomResult search_randomly(const Algorithm& algorithm, const Bounds& bounds,
                             const RandomLimits& limits, const std::atomic<bool>& stop,
                             const std::function<void(std::uint64_t schedules)>& tell) {
    Rules rules(algorithm, bounds);
    RandomResult result;
    Walker walker(rules, limits);
    // A lock that looks at its clock is first known to after it has: so the first walk is made
    // twice.
    walker.walk(0);
    for (; result.schedules < limits.schedules && !stop; ++result.schedules) {
        if (result.schedules % kTellEvery == 0) tell(result.schedules);
        const bool violated = walker.walk(result.schedules);
        result.steps += walker.path().steps.size();
        if (!violated) continue;
        result.schedule = result.schedules++;
        result.verdict = Verdict::violated;
        result.witness = walker.path();
        break;
    }
    return result;
}

}  // namespace locklab
