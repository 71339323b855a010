// live/uncontended: one client, acquire and release, no other client, with blocking calls like the
// floor. The time of a grant is split:
//     network  the round trips, as long as those of PING
//     server   the rest of the floor's time: the commands themselves
//     harness  the time of a grant of no_lock in the same loop
//     lock     the rest

#include "algorithms/registry.h"
#include "harness/bench/live_case.h"
#include "harness/live/blocking_client.h"
#include "harness/live/run_keys.h"

namespace locklab {

namespace {

/// Of the floor and of the lock, alternating: a processor that was idle for long is slower to wake.
constexpr Duration kStretch = std::chrono::milliseconds(10);
constexpr int kTurns = 8;

/// The sum of the lock's stretches.
struct Alone {
    LiveFigures figures;
    double seconds = 0;

    double us_per_grant() const { return 1e6 * seconds / static_cast<double>(figures.grants); }
};

void run_stretch(Workbench& bench, BlockingClient& client, Duration how_long, Alone& alone) {
    const ProcessorTime used(bench.server());
    const BlockingClient::Stretch stretch = client.run_for(how_long);
    alone.figures.client_cpu_s += used.client();
    alone.figures.server_cpu_s += used.server();
    alone.figures.grants += stretch.grants;
    alone.figures.commands += stretch.commands;
    alone.seconds += stretch.seconds;
}

void measure(benchmark::State& state, const LiveCase& its_case) {
    Workbench& bench = *its_case.bench;
    const Endpoint endpoint = its_case.endpoint();
    const Duration stretch = bench.window(kStretch);
    RunKeys keys;
    if (!bench.redis.empty()) keys.announce(endpoint);
    const auto client_of = [&](const Algorithm& lock) {
        return BlockingClient(lock, its_case.options, its_case.workload, endpoint,
                              keys.fresh_key());
    };
    Alone alone;
    BlockingClient client = client_of(*its_case.lock);
    if (!its_case.lock->on_redis()) {
        for (int i = 0; i < kTurns; ++i) run_stretch(bench, client, stretch, alone);
        alone.figures.grants_per_s = 1e6 / alone.us_per_grant();
        state.SetIterationTime(alone.us_per_grant() / 1e6);
        report(alone.figures, state);
        return;
    }
    const RecordedRounds rounds =
        record_rounds(*its_case.lock, its_case.options, endpoint, 1).front();
    BareClient bare(endpoint, rounds);
    BareClient pinging(endpoint, ping_rounds());
    BlockingClient without = client_of(the_control(Control::grants_always));
    Pace floor;
    Pace ping;
    Alone harness;
    for (int i = 0; i < kTurns; ++i) {
        const bool lock_first = i % 2 == 1;
        ping += pinging.run_for(stretch / 4);
        run_stretch(bench, without, stretch / 8, harness);
        if (lock_first) run_stretch(bench, client, stretch, alone);
        floor += bare.run_for(stretch);
        if (!lock_first) run_stretch(bench, client, stretch, alone);
    }
    keys.clear(endpoint);

    const double all = alone.us_per_grant();
    const double network = ping.us_per_round() * static_cast<double>(rounds.commands_each());
    alone.figures.grants_per_s = 1e6 / all;
    state.SetIterationTime(all / 1e6);
    report(alone.figures, state);
    state.counters["floor_per_s"] = floor.per_s();
    state.counters["ratio_to_floor"] = floor.us_per_round() / all;
    state.counters["ping_us"] = ping.us_per_round();
    state.counters["network_us"] = network;
    state.counters["server_us"] = floor.us_per_round() - network;
    state.counters["harness_us"] = harness.us_per_grant();
    state.counters["lock_us"] = all - floor.us_per_round() - harness.us_per_grant();
}

}  // namespace

void register_uncontended(Workbench& bench, const LiveParameters& parameters) {
    for (const Algorithm& lock : algorithms()) {
        for (const Transport transport : bench.transports()) {
            for (const Placement placement : bench.placements()) {
                LiveCase its_case{&bench, &lock, transport, placement, 1, {}, {}};
                its_case.workload.lock_alone = true;
                its_case.options = options_of(lock, parameters);
                add_live("uncontended", "", its_case, measure);
            }
        }
    }
}

}  // namespace locklab
