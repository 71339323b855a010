#include "harness/explore/evicted_keys.h"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/check/judge.h"
#include "harness/core/limits.h"
#include "harness/core/token_text.h"
#include "harness/explore/sim_run.h"

namespace locklab {

namespace {

constexpr std::uint64_t kCalmRuns = 2;
/// With everything that can strike the lock, once or twice each.
constexpr std::uint64_t kStruckRuns = 4;
constexpr Duration kRetry = std::chrono::seconds(1);

/// So that a name is there before all longer ones.
struct Shorter {
    bool operator()(const std::string& a, const std::string& b) const {
        return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
    }
};
using Names = std::set<std::string, Shorter>;

/// Why nothing can be said of the lock; empty: something can.
std::string add_names(const RunSpec& spec, std::uint64_t runs, Names& names) {
    SimRunner runner(spec);
    for (std::uint64_t run = 0; run < runs; ++run) {
        try {
            const History history = runner.run_taped(1, run).history;
            if (history.differs_alone) return judge(history).why_unknown;
            for (const Event& event : history.events) {
                const auto* ran = std::get_if<event::Executed>(&event.detail);
                if (ran == nullptr) continue;
                for (const event::OtherKey& other : ran->others) {
                    if (without_tokens(other.key) == other.key) names.insert(other.key);
                }
            }
        } catch (const BoundHit&) {
            // A search will meet what is missing, and say so.
        }
    }
    return {};
}

}  // namespace

EvictedKeys evicted_keys(const Algorithm& algorithm) {
    const ClusterConfig config;
    EvictedKeys keys{{config.key.name}};
    if (algorithm.redis_servers == 0) return keys;
    Names names;
    FaultBudget all;
    for (const HazardRow& row : kHazards) {
        if (row.hazard == kNoFault || !applies(algorithm, row.hazard)) continue;
        all[row.hazard] = std::min(2U, most_of(row.hazard));
    }
    // Which keys there are does not depend on how often a client tries.
    LockOptions options = algorithm.defaults;
    options.retry = std::max(options.retry, kRetry);
    const auto spec_with = [&](const FaultBudget& faults) {
        return make_run_spec(algorithm, options, Duration::zero(), faults);
    };
    keys.why_unknown = add_names(spec_with(FaultBudget()), kCalmRuns, names);
    if (keys.why_unknown.empty()) keys.why_unknown = add_names(spec_with(all), kStruckRuns, names);
    names.erase(keys.names.front());
    for (const std::string& name : names) {
        if (keys.names.size() == kMostEvictedKeys) break;
        keys.names.push_back(name);
    }
    return keys;
}

std::size_t place_of_key(const std::vector<std::string>& keys, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(keys, name) - keys.begin());
}

}  // namespace locklab
