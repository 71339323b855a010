#include "harness/explore/walker.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

namespace {

/// Faults strike, and priorities change, within this many steps per client and round.
constexpr std::uint32_t kStepsPerRound = 16;

}  // namespace

Walker::Walker(const Algorithm& algorithm, const Bounds& bounds, Strategy strategy,
               std::uint32_t changes, std::size_t most_remembered)
    : rules_(algorithm, bounds),
      map_(rules_, most_remembered),
      strategy_(strategy),
      changes_(changes) {}

bool Walker::walk(std::uint64_t seed, std::uint64_t number) {
    map_.tidy_up();
    for (;;) {
        random_ = RandomChoices(seed, number);
        const Rules::Lesson told = rules_.lesson();
        const bool violated = try_walk();
        const Coverage exercised = map_.take_coverage();
        if (rules_.lesson() == told) {
            coverage_.add(exercised);
            take_answers();
            if (path_.clocks != Path().clocks) coverage_.strike_clocks();
            return violated;
        }
        rules_.begin_anew();
        map_.forget();
        answers_ = 0;
    }
}

void Walker::take_answers() {
    const std::set<AnsweredCommand>& answered = rules_.server().answered();
    if (answered.size() == answers_) return;
    coverage_.answered.insert(answered.begin(), answered.end());
    answers_ = answered.size();
}

bool Walker::try_walk() {
    const std::vector<State>& starts = rules_.initial();
    const State& start = starts[draw(starts.size())];
    path_.steps.clear();
    path_.clocks = path_from(rules_, start).clocks;
    plan();
    std::uint32_t place = map_.place_of(start);
    while (!map_.is_violated(place)) {
        const Branches offered = map_.branches(place, offered_);
        if (offered.empty()) return false;
        const std::optional<std::size_t> fault = strike(place);
        const std::size_t index = fault ? *fault : choose(offered);
        path_.steps.push_back(map_.branches(place, Offered::all)[index].step());
        place = map_.after(place, index);
    }
    return true;
}

std::uint32_t Walker::draw(std::size_t count) {
    return random_.pick(ChoiceKind::next_event, static_cast<std::uint32_t>(count));
}

void Walker::plan() {
    strikes_.clear();
    moments_.clear();
    if (strategy_ == Strategy::walk) return;
    const Bounds& bounds = rules_.bounds();
    offered_ = bounds.any_length && draw(2) == 1 ? Offered::early : Offered::exact;
    const std::uint32_t horizon = kStepsPerRound * bounds.clients * bounds.rounds;
    for (const HazardRow& row : kHazards) {
        if (row.moment == FaultMoment::at_start) continue;  // drawn with the start
        for (std::uint32_t i = 0; i < bounds.faults[row.hazard]; ++i) {
            strikes_.push_back({WalkMap::strike_number(row.hazard), draw(horizon)});
            if (row.hazard != Hazard::restart_snapshot) continue;
            strikes_.push_back({WalkMap::kSave, draw(horizon)});
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

void Walker::look_for_first_strike() {
    first_strike_ = ~0U;
    for (const Strike& strike : strikes_) first_strike_ = std::min(first_strike_, strike.at);
}

/// A fault that is due, if it can strike here.
std::optional<std::size_t> Walker::strike(std::uint32_t place) {
    const auto now = static_cast<std::uint32_t>(path_.steps.size());
    if (now < first_strike_) return std::nullopt;
    for (Strike& strike : strikes_) {
        if (strike.at > now || !map_.can_strike(place, strike.number)) continue;
        const std::size_t calm = map_.branches(place, Offered::early).size();
        const std::optional<std::size_t> index = any_of(
            map_.branches(place, Offered::all).subspan(calm),
            [&](const Step& fault) { return WalkMap::strike_number(fault) == strike.number; });
        std::swap(strike, strikes_.back());
        strikes_.pop_back();
        look_for_first_strike();
        return calm + index.value();
    }
    return std::nullopt;
}

std::size_t Walker::choose(Branches branches) {
    if (strategy_ == Strategy::pct || strategy_ == Strategy::delay_bounded) {
        // If time can pass no client must act, so the first in the order need not either.
        const bool may_rest = std::any_of(branches.begin(), branches.end(), [](const auto& branch) {
            return branch.step().kind == Step::Kind::pass;
        });
        if (!may_rest) {
            if (const std::optional<std::size_t> first = first_in_order(branches)) return *first;
        }
    }
    return draw(branches.size());
}

std::optional<std::size_t> Walker::first_in_order(Branches branches) {
    const auto now = static_cast<std::uint32_t>(path_.steps.size());
    if (std::find(moments_.begin(), moments_.end(), now) != moments_.end()) {
        std::rotate(order_.begin(), order_.begin() + 1, order_.end());
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::uint8_t client = order_[i];
        const auto own = [client](const Step& step) { return step.client == client; };
        const std::optional<std::size_t> index = any_of(branches, own);
        if (!index) continue;
        if (strategy_ == Strategy::delay_bounded) {
            std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(i),
                        order_.end());
        }
        return index;
    }
    return std::nullopt;
}

/// One of the fitting branches, all equally likely; nothing if none fits.
template <class Fits>
std::optional<std::size_t> Walker::any_of(Branches branches, Fits fits) {
    fitting_.clear();
    for (std::size_t i = 0; i < branches.size(); ++i) {
        if (fits(branches[i].step())) fitting_.push_back(i);
    }
    if (fitting_.empty()) return std::nullopt;
    return fitting_[draw(fitting_.size())];
}

}  // namespace locklab
