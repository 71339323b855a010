// sim/step: steps per second of the simulator, set_nx_lua, no history. A step is a request
// executed, a reply delivered, or a timer fired.

#include <benchmark/benchmark.h>

#include "algorithms/registry.h"
#include "harness/bench/suites.h"
#include "harness/core/random_choices.h"
#include "harness/core/run_spec.h"
#include "harness/sim/simulator.h"

namespace locklab {

namespace {

SimConfig endless(std::uint32_t clients, const Latency& latency) {
    const Algorithm& algorithm = *algorithm_named("set_nx_lua");
    RunSpec spec = make_run_spec(algorithm, algorithm.defaults, {}, FaultBudget());
    spec.clients = clients;
    spec.grants = ~std::uint64_t{0};
    spec.patience = std::chrono::hours(1'000'000);
    SimConfig config{{spec}, spec, latency};
    config.record = false;
    return config;
}

void run_steps(benchmark::State& state, const Latency& latency) {
    const auto clients = static_cast<std::uint32_t>(state.range(0));
    RandomChoices choices(1);
    ScriptEngine scripts;
    Simulator simulator(endless(clients, latency), choices, scripts);
    for (auto _ : state) {
        constexpr int kBatch = 1000;
        for (int i = 0; i < kBatch; ++i) simulator.step();
    }
    state.counters["steps"] =
        benchmark::Counter(static_cast<double>(simulator.steps()), benchmark::Counter::kIsRate);
}

void sim_step(benchmark::State& state) {
    run_steps(state, Latency::log_normal(std::chrono::microseconds(200), 0.5));
}
void sim_step_instant(benchmark::State& state) { run_steps(state, Latency::instant()); }

}  // namespace

void register_sim_steps() {
    benchmark::RegisterBenchmark("sim/step", sim_step)->ArgsProduct({{3, 10, 100, 1000, 10000}});
    benchmark::RegisterBenchmark("sim/step_instant", sim_step_instant)
        ->ArgsProduct({{3, 100, 10000}});
}

}  // namespace locklab
