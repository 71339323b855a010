// sim/plane: safety against throughput, one point for each lock and TTL. Jobs, pauses and crashes
// stay the same while the TTL varies: a short one expires under a paused holder, a long one makes
// all wait for a crashed holder. Times are virtual, so these figures do not depend on this machine;
// repetitions differ by their seed.

#include <benchmark/benchmark.h>

#include <stdexcept>

#include "algorithms/registry.h"
#include "harness/bench/suites.h"
#include "harness/core/duration_text.h"
#include "harness/explore/sim_campaign.h"

namespace locklab {

namespace {

using std::chrono::milliseconds;

constexpr Duration kScale = std::chrono::seconds(1);
constexpr Duration kTtls[] = {milliseconds(100),  milliseconds(200),  milliseconds(500),
                              milliseconds(1000), milliseconds(2000), milliseconds(5000),
                              milliseconds(10000)};
constexpr std::uint64_t kRuns = 200;
constexpr std::uint64_t kRunsWhereSmall = 2;

RunSpec spec_with(const Algorithm& lock, Duration ttl) {
    LockOptions options = with_ttl(lock.defaults, kScale);
    options.clock_unit = milliseconds(1);
    options.retry = milliseconds(10);
    FaultBudget budget;
    budget[Hazard::pause] = 1;
    budget[Hazard::crash] = 1;
    RunSpec spec = make_run_spec(lock, options, kScale, budget);
    spec.options = with_ttl(spec.options, ttl);
    spec.patience = std::max(spec.patience, 3 * ttl);
    return spec;
}

void add(Workbench& bench, const Algorithm& lock, Duration ttl, const std::string& ttl_name) {
    const std::string name = "sim/plane/lock:" + std::string(lock.name) + "/ttl:" + ttl_name +
                             "/clients:3/faults:pause=1,crash=1";
    bench.add(name, [&bench, spec = spec_with(lock, ttl),
                     seed = std::uint64_t{0}](benchmark::State& state) mutable {
        static const StopFlag never{false};
        const StopFlag& stop = bench.stop != nullptr ? *bench.stop : never;
        const CampaignGoal goal{++seed, ~std::uint64_t{0}, bench.small ? kRunsWhereSmall : kRuns};
        const Tally tally = run_sim_campaign(spec, goal, stop, {}).tally();
        const double per_s = tally.throughput_per_s();
        if (tally.grants() == 0) throw std::runtime_error("Nobody was granted the lock.");
        state.SetIterationTime(1 / per_s);
        state.counters["grants"] = static_cast<double>(tally.grants());
        state.counters["grants_per_s"] = per_s;
        state.counters["overlaps_per_1000"] = tally.overlaps_per_1000_grants().value;
    });
}

}  // namespace

void register_sim_plane(Workbench& bench) {
    for (const Algorithm& lock : algorithms()) {
        if (lock.defaults.ttl == Duration::zero()) {
            add(bench, lock, kScale, "none");
            continue;
        }
        for (const Duration ttl : kTtls) add(bench, lock, ttl, to_string(ttl));
    }
}

}  // namespace locklab
