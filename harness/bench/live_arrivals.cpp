// live/arrivals: clients want the lock at a fixed rate, whether or not it keeps up (open loop). A
// wait counts from when the client was to want the lock, so that no wait is left out because the
// client still waited for the one before (coordinated omission).

#include "algorithms/registry.h"
#include "harness/bench/live_case.h"
#include "harness/core/duration_text.h"

namespace locklab {

namespace {

constexpr Duration kWindow = std::chrono::milliseconds(500);
constexpr std::uint32_t kClients = 16;
constexpr std::uint32_t kRates[] = {100, 400, 1000};
constexpr std::uint32_t kRateWhereSmall = 400;

void measure(benchmark::State& state, const LiveCase& its_case, std::uint32_t rate) {
    Workbench& bench = *its_case.bench;
    LiveConfig config = its_case.config(bench.window(kWindow));
    config.recording = Recording::rounds;
    const LiveFigures figures = run_live(bench, its_case.endpoint(), {config});
    state.SetIterationTime(1 / std::max(figures.grants_per_s, 1e-3));
    report(figures, state);
    state.counters["offered_per_s"] = rate;
}

}  // namespace

void register_arrivals(Workbench& bench, const LiveParameters& parameters) {
    for (const Algorithm& lock : algorithms()) {
        for (const std::uint32_t rate : kRates) {
            if (bench.small && rate != kRateWhereSmall) continue;
            LiveCase its_case{&bench,   &lock, bench.transports().front(),  bench.apart(),
                              kClients, {},    options_of(lock, parameters)};
            its_case.workload.job = {parameters.hold, parameters.hold};
            its_case.workload.wait = {parameters.waits.front(), parameters.retry};
            its_case.workload.arrival_offset = Duration(std::chrono::seconds(1)) / rate;
            its_case.workload.arrives_every = kClients * its_case.workload.arrival_offset;
            const std::string parts = "rate:" + std::to_string(rate) +
                                      "/clients:" + std::to_string(kClients) +
                                      "/hold:" + to_string(parameters.hold) + "/";
            add_live("arrivals", parts, its_case,
                     [rate](benchmark::State& state, const LiveCase& one) {
                         measure(state, one, rate);
                     });
        }
    }
}

}  // namespace locklab
