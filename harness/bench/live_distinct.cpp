// live/distinct: N clients in one process, each with a key of its own, so that the server is the
// limit. The floor is as many connections of hiredis alone, asynchronous, on libuv.

#include "algorithms/registry.h"
#include "harness/bench/live_case.h"

namespace locklab {

namespace {

constexpr Duration kWindow = std::chrono::milliseconds(100);
constexpr std::uint32_t kClients[] = {1, 4, 16, 50, 256};
constexpr std::uint32_t kMostWhereSmall = 4;

void measure(benchmark::State& state, const LiveCase& its_case) {
    Workbench& bench = *its_case.bench;
    const Endpoint endpoint = its_case.endpoint();
    const Duration window = bench.window(kWindow);
    LiveConfig config = its_case.config(window);
    config.clients = 1;
    config.recording = Recording::nothing;
    const std::vector<LiveConfig> configs(its_case.clients, config);
    if (!its_case.lock->on_redis()) {
        const LiveFigures figures = run_for_pace(bench, endpoint, configs);
        state.SetIterationTime(1 / figures.grants_per_s);
        report(figures, state);
        return;
    }
    const std::vector<RecordedRounds> rounds =
        record_rounds(*its_case.lock, its_case.options, endpoint, its_case.clients);
    Pace floor = run_asynchronous(endpoint, rounds, window);
    LiveFigures figures = run_for_pace(bench, endpoint, configs);
    figures += run_for_pace(bench, endpoint, configs);
    figures.grants_per_s /= 2;
    floor += run_asynchronous(endpoint, rounds, window);

    state.SetIterationTime(1 / figures.grants_per_s);
    report(figures, state);
    state.counters["floor_per_s"] = floor.per_s();
    state.counters["ratio_to_floor"] = figures.grants_per_s / floor.per_s();
}

}  // namespace

void register_distinct(Workbench& bench, const LiveParameters& parameters) {
    for (const Algorithm& lock : algorithms()) {
        for (const Transport transport : bench.transports()) {
            for (const std::uint32_t clients : kClients) {
                if (bench.small && clients > kMostWhereSmall) continue;
                LiveCase its_case{&bench, &lock, transport, bench.apart(), clients, {}, {}};
                // A control that sends nothing would never let the other clients run.
                its_case.workload.lock_alone = lock.on_redis();
                its_case.options = options_of(lock, parameters);
                add_live("distinct", "clients:" + std::to_string(clients) + "/", its_case, measure);
            }
        }
    }
}

}  // namespace locklab
