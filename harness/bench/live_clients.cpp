// live/clients: many clients in one process, each with a key of its own: that they work, and how
// much of our memory one takes (without the kernel's buffers of its socket).

#include <malloc.h>

#include "algorithms/registry.h"
#include "harness/bench/live_case.h"
#include "harness/live/live_loop.h"

namespace locklab {

namespace {

constexpr Duration kWindow = std::chrono::milliseconds(500);
constexpr std::uint32_t kClients = 1000;
constexpr std::uint32_t kClientsWhereSmall = 100;

double heap_in_use() {
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd);
}

void measure(benchmark::State& state, const LiveCase& its_case) {
    Workbench& bench = *its_case.bench;
    LiveConfig config = its_case.config(bench.window(kWindow));
    config.clients = 1;
    config.recording = Recording::nothing;
    const double before = heap_in_use();
    double most = 0;
    std::uint64_t grants = 0;
    std::uint32_t without = 0;
    LiveLoop loop(its_case.endpoint());
    const auto finished = [&](std::size_t, const LiveResult& result) {
        most = std::max(most, heap_in_use());  // at the first, all others are still there
        grants += result.grants;
        without += result.grants == 0 ? 1 : 0;
    };
    loop.run(std::vector<LiveConfig>(its_case.clients, config), its_case.clients, finished);
    state.SetIterationTime(std::chrono::duration<double>(config.duration).count());
    state.counters["grants"] = static_cast<double>(grants);
    state.counters["clients_without_a_grant"] = without;
    // Under a sanitizer the heap is not the C library's, and its size is unknown.
    if (most > before) state.counters["bytes_per_client"] = (most - before) / its_case.clients;
}

}  // namespace

void register_many_clients(Workbench& bench, const LiveParameters& parameters) {
    const Algorithm& lock = *algorithm_named("set_nx_lua");
    const std::uint32_t clients = bench.small ? kClientsWhereSmall : kClients;
    LiveCase its_case{&bench,  &lock, bench.transports().front(),  bench.apart(),
                      clients, {},    options_of(lock, parameters)};
    its_case.workload.lock_alone = true;
    add_live("clients", "clients:" + std::to_string(clients) + "/", its_case, measure);
}

}  // namespace locklab
