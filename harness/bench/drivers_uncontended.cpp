// drivers/uncontended: one process of a library, acquire and release, no other client. Compared
// with, in turns of the same repetition:
//     like   one process of the lock of ours that the library is like
//     floor  the commands of that lock, sent by hiredis alone
// Times of a process come from its answers (driver_pairs.h); ratios are of medians, below 1 if the
// library is slower.

#include <array>
#include <functional>
#include <optional>

#include "harness/bench/bare_rounds.h"
#include "harness/bench/command_watch.h"
#include "harness/bench/driver_pairs.h"
#include "harness/bench/live_case.h"
#include "harness/bench/measured_drivers.h"

namespace locklab {

namespace {

constexpr Duration kStretch = std::chrono::milliseconds(40);
constexpr int kTurns = 9;
/// Unmeasured start of each repetition, for runtimes that compile while running.
constexpr Duration kWarmUp = std::chrono::milliseconds(200);
/// Pairs whose commands are counted, apart from those that are timed.
constexpr int kCounted = 20;

void run_floor(BareClient& bare, Duration stretch, PairTimes& times) {
    double passed = 0;
    const double limit = std::chrono::duration<double>(stretch).count();
    while (passed < limit) {
        const double seconds = bare.run_for(Duration(0)).seconds;
        times.add(1e6 * seconds);
        passed += seconds;
    }
}

double commands_of_a_pair(const Endpoint& endpoint, DriverPairs& pairs) {
    PairTimes untimed;
    CommandWatch watch(endpoint);
    for (int i = 0; i < kCounted; ++i) pairs.run_for(Duration(0), untimed);
    return static_cast<double>(watch.seen()) / kCounted;
}

void report_pairs(const PairTimes& library, const PairTimes& like, const PairTimes& floor,
                  benchmark::State& state) {
    const auto count = [&](const char* name, double value) {
        state.counters[name] = benchmark::Counter(value);
    };
    const double median = library.percentile_us(0.5);
    state.SetIterationTime(median / 1e6);
    count("pairs", static_cast<double>(library.count()));
    count("pair_p99_us", library.percentile_us(0.99));
    count("grants_per_s", library.per_s());
    count("like_p50_us", like.percentile_us(0.5));
    count("ratio_to_like", like.percentile_us(0.5) / median);
    if (floor.count() == 0) return;
    count("floor_p50_us", floor.percentile_us(0.5));
    count("floor_per_s", floor.per_s());
    count("ratio_to_floor", floor.percentile_us(0.5) / median);
}

void measure(benchmark::State& state, Workbench& bench, MeasuredDrivers& drivers,
             const LiveParameters& parameters) {
    DriverPairs library(drivers.open(bench, parameters, 1));
    DriverPairs like(drivers.open_like(bench, parameters));
    const Endpoint endpoint = bench.endpoint(Transport::tcp);
    std::optional<BareClient> bare;
    if (drivers.like().on_redis()) {
        const LockOptions options = options_of(drivers.like(), parameters);
        bare.emplace(endpoint, record_rounds(drivers.like(), options, endpoint, 1).front());
    }
    PairTimes warm_up;
    library.run_for(bench.window(kWarmUp), warm_up);
    like.run_for(bench.window(kWarmUp), warm_up);

    std::array<PairTimes, 3> times;
    const Duration stretch = bench.window(kStretch);
    const std::array<std::function<void()>, 3> each{[&] { library.run_for(stretch, times[0]); },
                                                    [&] { like.run_for(stretch, times[1]); },
                                                    [&] {
                                                        if (bare)
                                                            run_floor(*bare, stretch, times[2]);
                                                    }};
    for (std::size_t turn = 0; turn < kTurns && !bench.stopped(); ++turn) {
        for (std::size_t i = 0; i < each.size(); ++i) each[(turn + i) % each.size()]();
    }
    if (bench.stopped()) return;
    report_pairs(times[0], times[1], times[2], state);
    state.counters["commands_per_grant"] = commands_of_a_pair(endpoint, library);
}

}  // namespace

void register_drivers_uncontended(Workbench& bench, MeasuredDrivers& drivers,
                                  const LiveParameters& parameters) {
    bench.add("drivers/uncontended/" + drivers.subject().operand() + "/over:tcp",
              [&bench, &drivers, parameters](benchmark::State& state) {
                  drivers.measure([&] { measure(state, bench, drivers, parameters); });
              });
}

}  // namespace locklab
