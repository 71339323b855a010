// live/contended: N clients on one key, each as fast as it can (closed loop). The floor is one bare
// client that takes, holds and releases alone: no client waits, and nothing is handed over.

#include "algorithms/registry.h"
#include "harness/bench/live_case.h"
#include "harness/core/duration_text.h"

namespace locklab {

namespace {

constexpr Duration kWindow = std::chrono::milliseconds(300);
constexpr Duration kLongWindow = std::chrono::seconds(5);
constexpr std::uint32_t kClients[] = {2, 4, 8, 16, 32, 64};
constexpr std::uint32_t kUsualClients = 8;
/// For tests of the articles' own delays.
constexpr Duration kLongHold = std::chrono::milliseconds(2);
constexpr std::uint32_t kMostWhereSmall = 4;

void measure(benchmark::State& state, const LiveCase& its_case, Duration usual_window) {
    Workbench& bench = *its_case.bench;
    const Endpoint endpoint = its_case.endpoint();
    const Duration window = bench.window(usual_window);
    LiveConfig config = its_case.config(window);
    config.recording = Recording::rounds;
    double floor = 0;
    if (its_case.lock->on_redis()) {
        const RecordedRounds rounds =
            record_rounds(*its_case.lock, its_case.options, endpoint, 1).front();
        floor =
            BareClient(endpoint, rounds).run_for(window / 4, its_case.workload.job.least).per_s();
    }
    const LiveFigures figures = run_live(bench, endpoint, {config});
    state.SetIterationTime(1 / std::max(figures.grants_per_s, 1e-3));
    report(figures, state);
    if (floor == 0) return;
    state.counters["floor_per_s"] = floor;
    state.counters["ratio_to_floor"] = figures.grants_per_s / floor;
}

struct Contention {
    std::uint32_t clients;
    Duration hold;
    WaitPolicy wait;
    Duration window;
};

void add_contended(Workbench& bench, const Algorithm& lock, const LiveParameters& parameters,
                   const Contention& contention) {
    LiveCase its_case{&bench,
                      &lock,
                      Transport::unix_socket,
                      bench.apart(),
                      contention.clients,
                      {},
                      options_of(lock, parameters)};
    if (!bench.redis.empty()) its_case.transport = Transport::tcp;
    its_case.workload.job = {contention.hold, contention.hold};
    its_case.workload.think = {parameters.think, parameters.think};
    its_case.workload.wait = contention.wait;
    const std::string parts =
        "clients:" + std::to_string(contention.clients) + "/hold:" + to_string(contention.hold) +
        "/think:" + to_string(parameters.think) + "/wait:" + to_string(contention.wait) + "/";
    const Duration window = contention.window;
    add_live("contended", parts, its_case, [window](benchmark::State& state, const LiveCase& one) {
        measure(state, one, window);
    });
}

}  // namespace

void register_contended(Workbench& bench, const LiveParameters& parameters) {
    for (const Algorithm& lock : algorithms()) {
        const WaitPolicy usual{parameters.waits.front(), parameters.retry};
        for (const std::uint32_t clients : kClients) {
            if (bench.small && clients > kMostWhereSmall) continue;
            add_contended(bench, lock, parameters, {clients, parameters.hold, usual, kWindow});
        }
        for (std::size_t i = 1; i < parameters.waits.size(); ++i) {
            const WaitPolicy other{parameters.waits[i], parameters.retry};
            add_contended(bench, lock, parameters,
                          {kUsualClients, parameters.hold, other, kWindow});
        }
        // With the delay of its article.
        if (lock.defaults.retry == Duration::zero()) continue;
        add_contended(bench, lock, parameters,
                      {kUsualClients,
                       kLongHold,
                       {WaitPolicy::Kind::fixed, lock.defaults.retry},
                       kLongWindow});
    }
}

}  // namespace locklab
