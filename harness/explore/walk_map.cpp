#include "harness/explore/walk_map.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

std::size_t WalkMap::strike_number(const Step& fault) {
    return fault.kind == Step::Kind::save ? kSave : strike_number(*hazard_of(fault));
}

std::uint32_t WalkMap::place_of(const State& state) {
    if (const std::optional<std::uint32_t> known = states_.find(state)) return *known;
    rules_.offer_calm(state, false, exact_);
    rules_.offer(state, all_);
    const auto is_calm = [](const Step& step) {
        return step.kind != Step::Kind::save && !is_fault(step);
    };
    const auto is_exact = [&](const Step& step) {
        return std::find(exact_.begin(), exact_.end(), step) != exact_.end();
    };
    Place place;
    place.first = static_cast<std::uint32_t>(branches_.size());
    place.violated = rules_.is_violated(state);
    for (const Step& step : exact_) branches_.push_back({step, kUnknown});
    place.counts[0] = count_since(place.first);
    for (const Step& step : all_) {
        if (is_calm(step) && !is_exact(step)) branches_.push_back({step, kUnknown});
    }
    place.counts[1] = count_since(place.first);
    for (const Step& step : all_) {
        if (is_calm(step)) continue;
        branches_.push_back({step, kUnknown});
        place.strikes |= std::uint32_t{1} << strike_number(step);
    }
    place.counts[2] = count_since(place.first);
    places_.push_back(place);
    return states_.add(state);
}

std::uint32_t WalkMap::learn(std::uint32_t place, std::size_t index) {
    const std::size_t branch = places_[place].first + index;
    rules_.cover(states_[place], branches_[branch].step, coverage_);
    const std::uint32_t to = place_of(rules_.after(states_[place], branches_[branch].step));
    branches_[branch].to = to;
    return to;
}

void WalkMap::tidy_up() {
    if (branches_.size() > most_branches_) forget();
}

void WalkMap::forget() {
    states_ = {};
    places_.clear();
    branches_.clear();
}

}  // namespace locklab
