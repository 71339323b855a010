#include "harness/explore/walker.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

namespace {

/// Faults strike, and priorities change, within so many steps for each client and round.
constexpr std::uint32_t kStepsPerRound = 16;

}  // namespace

Walker::Walker(const Algorithm& algorithm, const Bounds& bounds, Strategy strategy,
               std::uint32_t changes)
    : rules_(algorithm, bounds), strategy_(strategy), changes_(changes) {}

bool Walker::walk(std::uint64_t seed, std::uint64_t number) {
    for (;;) {
        random_ = RandomChoices(seed, number);
        const bool told_time = rules_.tells_time();
        const bool violated = try_walk();
        // What was learnt of the lock on the way would have mattered from the start.
        if (rules_.tells_time() == told_time) return violated;
    }
}

bool Walker::try_walk() {
    const std::vector<State>& starts = rules_.initial();
    State state = starts[draw(starts.size())];
    path_.steps.clear();
    path_.clocks = path_from(rules_, state).clocks;
    plan();
    for (;;) {
        if (strategy_ == Strategy::walk) {
            rules_.offer(state, steps_);
        } else {
            rules_.offer_calm(state, early_, steps_);
        }
        if (steps_.empty()) return false;
        const Step step = choose(state);
        path_.steps.push_back(step);
        state = rules_.after(state, step);
        // Nobody else can have come inside.
        const bool inside = rules_.parts().at(state.clients[step.client]).inside;
        if (inside && rules_.is_violated(state)) return true;
    }
}

std::uint32_t Walker::draw(std::size_t count) {
    return random_.pick(ChoiceKind::next_event, static_cast<std::uint32_t>(count));
}

void Walker::plan() {
    strikes_.clear();
    moments_.clear();
    if (strategy_ == Strategy::walk) return;
    const Bounds& bounds = rules_.bounds();
    early_ = bounds.any_length && draw(2) == 1;
    const std::uint32_t horizon = kStepsPerRound * bounds.clients * bounds.rounds;
    for (const HazardRow& row : kHazards) {
        if (row.hazard == Hazard::clock_offset) continue;  // drawn with the start
        for (std::uint32_t i = 0; i < bounds.faults[row.hazard]; ++i) {
            strikes_.push_back({row.hazard, draw(horizon), false});
            if (row.hazard != Hazard::restart_snapshot) continue;
            strikes_.push_back({row.hazard, draw(horizon), true});
        }
    }
    look_for_first_strike();
    if (strategy_ == Strategy::uniform) return;
    for (std::uint32_t i = 0; i < changes_; ++i) moments_.push_back(draw(horizon));
    order_.resize(bounds.clients);
    for (std::uint8_t i = 0; i < order_.size(); ++i) {
        order_[i] = i;
        if (strategy_ == Strategy::pct) std::swap(order_[i], order_[draw(i + 1U)]);
    }
}

Step Walker::choose(const State& state) {
    if (strategy_ == Strategy::walk) return steps_[draw(steps_.size())];
    Step chosen;
    if (strikes(state, chosen)) return chosen;
    return choose_calm();
}

void Walker::look_for_first_strike() {
    first_strike_ = ~0U;
    for (const Strike& strike : strikes_) first_strike_ = std::min(first_strike_, strike.at);
}

/// A fault whose time has come, if it can strike here.
bool Walker::strikes(const State& state, Step& fault) {
    const auto now = static_cast<std::uint32_t>(path_.steps.size());
    if (now < first_strike_) return false;
    rules_.offer(state, steps_);
    for (Strike& strike : strikes_) {
        if (strike.at > now) continue;
        const auto fits = [&strike](const Step& step) {
            return strike.saves ? step.kind == Step::Kind::save : hazard_of(step) == strike.hazard;
        };
        if (!any_of(fits, fault)) continue;
        std::swap(strike, strikes_.back());
        strikes_.pop_back();
        look_for_first_strike();
        return true;
    }
    rules_.offer_calm(state, early_, steps_);
    return false;
}

Step Walker::choose_calm() {
    if (strategy_ == Strategy::uniform) return steps_[draw(steps_.size())];
    // Where time can pass nobody must act, and who is first in the order need not either.
    const bool may_rest = std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
        return step.kind == Step::Kind::pass;
    });
    Step chosen;
    if (!may_rest && first_in_order(chosen)) return chosen;
    return steps_[draw(steps_.size())];
}

bool Walker::first_in_order(Step& step) {
    const auto now = static_cast<std::uint32_t>(path_.steps.size());
    if (std::find(moments_.begin(), moments_.end(), now) != moments_.end()) {
        std::rotate(order_.begin(), order_.begin() + 1, order_.end());
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::uint8_t client = order_[i];
        if (!any_of([client](const Step& offered) { return offered.client == client; }, step)) {
            continue;
        }
        if (strategy_ == Strategy::delay_bounded) {
            std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(i),
                        order_.end());
        }
        return true;
    }
    return false;
}

/// One of those that fit, all as likely; false if none does.
template <class Fits>
bool Walker::any_of(Fits fits, Step& step) {
    fitting_.clear();
    std::copy_if(steps_.begin(), steps_.end(), std::back_inserter(fitting_), fits);
    if (fitting_.empty()) return false;
    step = fitting_[draw(fitting_.size())];
    return true;
}

}  // namespace locklab
