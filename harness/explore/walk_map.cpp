#include "harness/explore/walk_map.h"

#include <algorithm>

#include "harness/explore/step_text.h"

namespace locklab {

std::size_t WalkMap::strike_number(const Step& fault) {
    return fault.kind == Step::Kind::save ? kSave : strike_number(*hazard_of(fault));
}

WalkMap::Key WalkMap::key_of(const State& state) {
    Key key{state.environment, state.clients, state.servers[0]};
    if (rules_.bounds().nodes() > 1) {
        ServerRow row{};
        std::ranges::copy(state.servers, row.begin());
        key.servers = servers_.number_of(row);
    }
    return key;
}

State WalkMap::state_of(std::uint32_t place) const {
    const Key& key = states_[place];
    State state{key.environment, key.clients, {}};
    if (rules_.bounds().nodes() > 1) {
        std::copy_n(servers_[key.servers].begin(), state.servers.size(), state.servers.begin());
    } else {
        state.servers[0] = key.servers;
    }
    return state;
}

std::uint32_t WalkMap::place_of(const State& state) {
    const Key key = key_of(state);
    if (const std::optional<std::uint32_t> known = states_.find(key)) return *known;
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
    for (const Step& step : exact_) branches_.emplace_back(step);
    place.counts[0] = count_since(place.first);
    for (const Step& step : all_) {
        if (is_calm(step) && !is_exact(step)) branches_.emplace_back(step);
    }
    place.counts[1] = count_since(place.first);
    for (const Step& step : all_) {
        if (is_calm(step)) continue;
        branches_.emplace_back(step);
        place.strikes |= std::uint32_t{1} << strike_number(step);
    }
    place.counts[2] = count_since(place.first);
    places_.push_back(place);
    return states_.add(key);
}

std::uint32_t WalkMap::learn(std::uint32_t place, std::size_t index) {
    const std::size_t branch = places_[place].first + index;
    const Step step = branches_[branch].step();
    const State state = state_of(place);
    rules_.cover(state, step, coverage_);
    const std::uint32_t to = place_of(rules_.after(state, step));
    branches_[branch].to = to;
    return to;
}

void WalkMap::tidy_up() {
    if (branches_.size() > most_branches_) forget();
}

void WalkMap::forget() {
    states_ = {};
    servers_ = {};
    places_.clear();
    branches_.clear();
}

}  // namespace locklab
