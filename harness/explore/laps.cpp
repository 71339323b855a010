#include "harness/explore/laps.h"

#include <algorithm>

namespace locklab {

namespace {

/// Steps of one walk: dozens of laps. Bounds without an end allow more rounds than that.
constexpr std::size_t kWalk = 500;

}  // namespace

std::vector<Step> Laps::path_to(std::uint32_t state) const {
    std::vector<Step> path;
    for (; state != 0; state = origins_[state].state) path.push_back(origins_[state].step);
    std::reverse(path.begin(), path.end());
    return path;
}

std::uint32_t Laps::number_of(const std::string& key, const Origin& origin) {
    const auto [row, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
    if (fresh) {
        keys_.push_back(key);
        origins_.push_back(origin);
        edges_.emplace_back();
    }
    return row->second;
}

void Laps::grow(std::uint64_t most, const std::atomic<bool>& stop, const Tell& tell) {
    if (edges_.empty()) number_of(TwinRun(algorithm_, bounds_, scripts_, tries_, pasts_).key(), {});
    while (!is_whole() && !stop && edges_.size() < most) {
        expand(expanded_);
        ++expanded_;
        if (expanded_ % 256 == 0) tell(edges_.size());
    }
}

void Laps::expand(std::uint32_t state) {
    const std::vector<Step> path = path_to(state);
    std::vector<Step> steps;
    for (std::size_t i = 0; i == 0 || i < steps.size(); ++i) {
        // A run cannot be copied, so each step is made at the end of a new run.
        TwinRun run(algorithm_, bounds_, scripts_, tries_, pasts_);
        for (const Step& step : path) run.make(step);
        if (i == 0) steps = run.offered();
        if (steps.empty()) return;
        const Happened happened = run.make(steps[i]);
        const std::uint32_t to = number_of(run.key(), {state, steps[i]});
        edges_[state].push_back({steps[i], to, happened});
    }
}

std::vector<std::uint32_t> Laps::way_to_rare(std::uint32_t from, const Counts& made,
                                             std::uint32_t times) const {
    struct Reached {
        std::uint32_t state;
        std::size_t parent;
        std::uint32_t edge;
    };
    std::vector<Reached> reached{{from, 0, 0}};
    std::vector<bool> seen(size(), false);
    seen[from] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const std::uint32_t state = reached[i].state;
        for (std::uint32_t k = 0; k < edges_[state].size(); ++k) {
            if (made[state][k] < times) {
                std::vector<std::uint32_t> way{k};
                for (std::size_t at = i; at != 0; at = reached[at].parent) {
                    way.push_back(reached[at].edge);
                }
                std::reverse(way.begin(), way.end());
                return way;
            }
            const std::uint32_t to = edges_[state][k].to;
            if (seen[to]) continue;
            seen[to] = true;
            reached.push_back({to, i, k});
        }
    }
    return {};
}

bool Laps::check(std::uint32_t times, const std::atomic<bool>& stop) {
    Counts made;
    for (const auto& edges : edges_) made.emplace_back(edges.size(), 0);
    while (!way_to_rare(0, made, times).empty()) {
        if (stop) return false;
        walk(made, times);
    }
    return true;
}

bool Laps::goes_round(const std::vector<Step>& stem, const std::vector<Step>& cycle,
                      std::uint32_t laps) {
    TwinRun run(algorithm_, bounds_, scripts_, tries_, pasts_);
    const auto make = [&run](const Step& step) {
        const std::vector<Step> steps = run.offered();
        if (std::ranges::find(steps, step) == steps.end()) return false;
        run.make(step);
        return true;
    };
    if (!std::ranges::all_of(stem, make)) return false;
    const std::string key = run.key();
    for (std::uint32_t lap = 0; lap < laps; ++lap) {
        if (!std::ranges::all_of(cycle, make) || run.key() != key) return false;
    }
    return true;
}

void Laps::walk(Counts& made, std::uint32_t times) {
    TwinRun run(algorithm_, bounds_, scripts_, tries_, pasts_);
    std::uint32_t state = 0;
    for (std::size_t length = 0; length < kWalk;) {
        const std::vector<std::uint32_t> way = way_to_rare(state, made, times);
        if (way.empty()) return;
        for (const std::uint32_t k : way) {
            const std::vector<Step> steps = run.offered();
            const bool same = std::ranges::equal(steps, edges_[state], {}, {}, &Edge::step);
            if (!same) throw DoesNotRepeat("after more laps the lock can go on in other ways");
            const Edge& edge = edges_[state][k];
            const bool leads_there =
                run.make(edge.step) == edge.happened && run.key() == keys_[edge.to];
            if (!leads_there) throw DoesNotRepeat("after more laps the lock does something else");
            ++made[state][k];
            ++length;
            ++walked_;
            state = edge.to;
        }
    }
}

}  // namespace locklab
