// live/recovery: a holder crashes while others wait. How long until the next grant? Several groups
// of clients do this at once, each with its own key.

#include <algorithm>

#include "algorithms/registry.h"
#include "harness/bench/live_case.h"
#include "harness/bench/statistics.h"
#include "harness/core/duration_text.h"

namespace locklab {

namespace {

constexpr Duration kTtl = std::chrono::milliseconds(200);
constexpr Duration kTtlWhereSmall = std::chrono::milliseconds(20);
/// In TTLs: a client that has not got the lock by then never will.
constexpr int kPatience = 5;
constexpr std::uint32_t kClients = 4;
/// Enough grants that the crash is not among the last, after which no client wants the lock.
constexpr std::uint64_t kGrants = 100;
constexpr std::size_t kGroups = 16;
constexpr std::size_t kGroupsWhereSmall = 2;

void measure(benchmark::State& state, const LiveCase& its_case, Duration ttl) {
    Workbench& bench = *its_case.bench;
    LiveConfig config = its_case.config(Duration::zero());
    config.recording = Recording::rounds;
    config.patience = kPatience * ttl;
    config.grants = kGrants;
    config.plan = {{Hazard::crash, {ClientId{0}, 2, Phase::inside, 1}, Duration::zero()}};
    std::vector<LiveConfig> groups(bench.small ? kGroupsWhereSmall : kGroups, config);
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i].run = i;
    const LiveFigures figures = run_live(bench, its_case.endpoint(), groups);
    const double median = percentile(figures.recoveries, 0.5);
    state.SetIterationTime(std::max(median, 1.0) / 1e6);
    state.counters["crashes"] = figures.crashes;
    state.counters["recovered"] = static_cast<double>(figures.recoveries.size());
    if (figures.recoveries.empty()) return;
    state.counters["recovery_p50_us"] = median;
    state.counters["recovery_max_us"] = figures.recoveries.back();
}

}  // namespace

void register_recovery(Workbench& bench, const LiveParameters& parameters) {
    for (const Algorithm& lock : algorithms()) {
        LiveParameters own = parameters;
        own.ttl = bench.small ? kTtlWhereSmall : kTtl;
        LiveCase its_case{&bench,   &lock, bench.transports().front(), bench.apart(),
                          kClients, {},    options_of(lock, own)};
        its_case.workload.job = {own.hold, own.hold};
        its_case.workload.wait = {own.waits.front(), own.retry};
        const std::string parts = "ttl:" + to_string(own.ttl) +
                                  "/clients:" + std::to_string(kClients) +
                                  "/retry:" + to_string(own.retry) + "/";
        const Duration ttl = own.ttl;
        add_live("recovery", parts, its_case,
                 [ttl](benchmark::State& state, const LiveCase& one) { measure(state, one, ttl); });
    }
}

}  // namespace locklab
