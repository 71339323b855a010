// explore/...: the speed of searches, with all cores. A state is a distinct one, after symmetry
// reduction; a schedule is a whole run.

#include <benchmark/benchmark.h>

#include <thread>

#include "algorithms/registry.h"
#include "harness/bench/suites.h"
#include "harness/core/fault_text.h"
#include "harness/explore/random_search.h"
#include "harness/explore/shrink.h"
#include "harness/explore/thresholds.h"

namespace locklab {

namespace {

const std::atomic<bool> kGoOn{false};

const Algorithm& lock_named(const char* name) { return *algorithm_named(name); }

Bounds bounds_with(const Algorithm& algorithm, const char* faults, std::uint32_t clients,
                   std::uint32_t attempts) {
    Bounds bounds = bounds_for(algorithm);
    bounds.clients = clients;
    bounds.attempts = attempts;
    bounds.faults = parse_faults(faults);
    return bounds;
}

std::uint32_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

SearchResult search(const Algorithm& algorithm, const Bounds& bounds, std::uint32_t threads) {
    SearchLimits limits;
    limits.memory = std::uint64_t{8} << 30;
    limits.threads = threads;
    return search_exhaustively(algorithm, bounds, limits, kGoOn, [](const SearchProgress&) {});
}

/// A search that must finish and find nothing.
void run_proof(benchmark::State& state, const Bounds& bounds, std::uint32_t threads) {
    std::uint64_t states = 0;
    for (auto _ : state) {
        const SearchResult result = search(lock_named("set_nx_lua"), bounds, threads);
        if (result.verdict != Verdict::holds) state.SkipWithError("it was to hold");
        states += result.states;
    }
    state.counters["states"] =
        benchmark::Counter(static_cast<double>(states), benchmark::Counter::kIsRate);
}

void explore_states(benchmark::State& state) {
    const Bounds bounds =
        bounds_with(lock_named("set_nx_lua"), "crash=1,lose_reply=1,delay_request=1", 3, 4);
    run_proof(state, bounds, static_cast<std::uint32_t>(state.range(0)));
}
void explore_three_faults(benchmark::State& state) {
    const Bounds bounds =
        bounds_with(lock_named("set_nx_lua"), "crash=1,lose_reply=1,delay_request=1", 3, 3);
    run_proof(state, bounds, cores());
}
void explore_four_clients(benchmark::State& state) {
    run_proof(state, bounds_with(lock_named("set_nx_lua"), "crash=1,lose_reply=1", 4, 3), cores());
}

/// Both questions, with bisection of faults that have an amount.
void explore_every_single_fault(benchmark::State& state) {
    const Algorithm& lock = lock_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "none", 2, 3);
    for (auto _ : state) {
        SearchLimits limits;
        limits.threads = cores();
        const ThresholdPair found =
            find_thresholds(lock, {{bounds}}, limits, kGoOn, [](const SearchProgress&) {});
        if (!found.progress.complete) state.SkipWithError("it was to be complete");
    }
}

/// The first fault that breaks the lock according to its row.
void explore_first_witness(benchmark::State& state, const Algorithm* lock) {
    for (const HazardRow& row : kHazards) {
        if (!lock->broken_by.contains(row.hazard)) continue;
        if (!is_made_in(FaultWorld::search, row.hazard)) continue;
        const bool free = row.hazard == kNoFault;
        const std::string faults = free ? "none" : std::string(row.name) + "=1";
        const Bounds bounds = bounds_with(*lock, faults.c_str(), 3, 3);
        for (auto _ : state) {
            const Verdict verdict = search(*lock, bounds, cores()).verdict;
            if (verdict == Verdict::holds) state.SkipWithError("it was to be broken");
        }
        return;
    }
    state.SkipWithError("nothing is said to break it");
}

void explore_schedules(benchmark::State& state, Strategy strategy, std::uint64_t schedules_each) {
    const Algorithm& lock = lock_named("set_nx_lua");
    const Bounds bounds = bounds_with(lock, "crash=1,lose_reply=1,delay_request=1", 3, 3);
    RandomLimits limits;
    limits.strategy = strategy;
    limits.threads = cores();
    limits.schedules = schedules_each;
    std::uint64_t schedules = 0;
    for (auto _ : state) {
        limits.seed += 1;
        schedules += search_randomly(lock, bounds, limits, kGoOn, [](std::uint64_t) {}).schedules;
    }
    state.counters["schedules"] =
        benchmark::Counter(static_cast<double>(schedules), benchmark::Counter::kIsRate);
}

/// A witness of more than 1,000 steps.
void explore_shrink(benchmark::State& state) {
    const Algorithm& lock = lock_named("set_nx_lua");
    Bounds bounds = bounds_with(lock, "lose_reply=15,evict=1,delay_request=2", 4, 50);
    bounds.rounds = 60;
    const RandomResult found =
        search_randomly(lock, bounds, RandomLimits(), kGoOn, [](std::uint64_t) {});
    if (found.witness.steps.size() < 1000) state.SkipWithError("it was to be longer");
    for (auto _ : state) {
        benchmark::DoNotOptimize(shrink(lock, bounds, found.witness));
    }
    state.counters["steps"] = static_cast<double>(found.witness.steps.size());
}

}  // namespace

void register_explore(Workbench& bench) {
    const std::uint64_t schedules = bench.small ? 10'000 : 1'000'000;
    const auto timed = [](benchmark::internal::Benchmark* benchmark) {
        benchmark->UseRealTime()->Unit(benchmark::kMillisecond);
    };
    auto* states = benchmark::RegisterBenchmark("explore/states/threads", explore_states);
    timed(states->Arg(1));
    if (cores() > 1) states->Arg(cores());
    timed(benchmark::RegisterBenchmark("explore/every_single_fault", explore_every_single_fault));
    timed(benchmark::RegisterBenchmark("explore/three_faults", explore_three_faults));
    timed(benchmark::RegisterBenchmark("explore/four_clients", explore_four_clients));
    timed(benchmark::RegisterBenchmark("explore/schedules/random", explore_schedules,
                                       Strategy::uniform, schedules));
    timed(benchmark::RegisterBenchmark("explore/schedules/walk", explore_schedules, Strategy::walk,
                                       schedules));
    timed(benchmark::RegisterBenchmark("explore/shrink", explore_shrink));
    for (const Algorithm& lock : algorithms()) {
        if (lock.broken_by.empty()) continue;
        const std::string name = "explore/first_witness/" + std::string(lock.name);
        timed(benchmark::RegisterBenchmark(name.c_str(), explore_first_witness, &lock));
    }
}

}  // namespace locklab
