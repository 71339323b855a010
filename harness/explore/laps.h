// The state graph of a lock whose clients take it again for ever: every reachable state, and the
// edges between them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>  // lookup only
#include <vector>

#include "harness/explore/twin_run.h"

namespace locklab {

class Laps {
public:
    struct Edge {
        Step step;
        std::uint32_t to = 0;
        Happened happened;
    };

    /// `tries`: how many failed tries of a round tell states apart.
    Laps(const Algorithm& algorithm, const Bounds& bounds, std::uint32_t tries)
        : algorithm_(algorithm), bounds_(bounds), tries_(tries) {}

    using Tell = std::function<void(std::uint64_t states)>;
    /// Expands states until there are `most`, or until the graph is whole. Throws DoesNotRepeat.
    void grow(std::uint64_t most, const std::atomic<bool>& stop, const Tell& tell);
    bool is_whole() const { return expanded_ > 0 && expanded_ == edges_.size(); }
    /// Walks until every edge was made `times` times. Throws DoesNotRepeat if an edge leads
    /// elsewhere. False if it was stopped.
    bool check(std::uint32_t times, const std::atomic<bool>& stop);
    /// Whether the cycle leads back to the state at the end of the stem, `laps` times in a row.
    bool goes_round(const std::vector<Step>& stem, const std::vector<Step>& cycle,
                    std::uint32_t laps);

    std::size_t size() const { return edges_.size(); }
    /// Empty for a state that is not expanded.
    const std::vector<Edge>& edges(std::uint32_t state) const { return edges_[state]; }
    /// A shortest path to that state.
    std::vector<Step> path_to(std::uint32_t state) const;
    /// The steps that precede every run.
    const std::vector<Step>& before() const { return pasts_.one; }
    std::uint64_t walked() const { return walked_; }

private:
    struct Origin {
        std::uint32_t state = 0;
        Step step;
    };
    using Counts = std::vector<std::vector<std::uint32_t>>;

    void expand(std::uint32_t state);
    std::uint32_t number_of(const std::string& key, const Origin& origin);
    /// The edges of a shortest path to an edge made less than `times` times; empty if there is
    /// none.
    std::vector<std::uint32_t> way_to_rare(std::uint32_t from, const Counts& made,
                                           std::uint32_t times) const;
    void walk(Counts& made, std::uint32_t times);

    const Algorithm& algorithm_;
    const Bounds& bounds_;
    const std::uint32_t tries_;
    ScriptEngine scripts_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> keys_;
    std::vector<Origin> origins_;
    std::vector<std::vector<Edge>> edges_;
    TwinRun::Pasts pasts_;
    std::uint32_t expanded_ = 0;  ///< states below this number are expanded
    std::uint64_t walked_ = 0;
};

}  // namespace locklab
