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
constexpr std::string_view kToken = "<token>";

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
                    const std::string name = without_tokens(other.key);
                    // Of two tokens in a name, any two clients' may be there.
                    if (name.find(kToken) == name.rfind(kToken)) names.insert(name);
                }
            }
        } catch (const BoundHit&) {
            // A search will meet what is missing, and say so.
        }
    }
    return {};
}

bool has_token(std::string_view name) { return name.find(kToken) != std::string_view::npos; }

std::uint32_t with_tokens(std::span<const std::string> names) {
    return static_cast<std::uint32_t>(std::ranges::count_if(names, has_token));
}

}  // namespace

std::vector<std::string> keys_of(std::span<const std::string> names, std::uint32_t clients,
                                 TokenStyle tokens) {
    std::vector<std::string> keys;
    for (const std::string& name : names) {
        if (!has_token(name)) keys.push_back(name);
    }
    const std::size_t each = std::size_t{with_tokens(names)} * clients;
    for (std::uint64_t count = 1; each > 0 && keys.size() + each <= kMostEvictedKeys; ++count) {
        for (std::uint32_t client = 0; client < clients; ++client) {
            for (const std::string& name : names) {
                if (!has_token(name)) continue;
                keys.push_back(name);
                keys.back().replace(name.find(kToken), kToken.size(),
                                    token_text(tokens, client, count));
            }
        }
    }
    return keys;
}

std::uint16_t key_of_renamed(std::uint16_t key, std::span<const std::string> names,
                             std::uint32_t clients, std::span<const std::uint8_t> is_now) {
    const std::uint32_t per_client = with_tokens(names);
    const auto first = static_cast<std::uint32_t>(names.size() - per_client);
    if (key < first) return key;
    const std::uint32_t place = key - first;
    const std::uint32_t client = place / per_client % clients;
    return static_cast<std::uint16_t>(key + (is_now[client] - client) * per_client);
}

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
