// drivers/contended: several processes of a library and one key, for a window. A wait is measured
// by the harness' clock, from the request to the answer, including the way of both lines.

#include <algorithm>
#include <stdexcept>

#include "harness/bench/command_watch.h"
#include "harness/bench/driver_contest.h"
#include "harness/bench/live_case.h"
#include "harness/bench/measured_drivers.h"
#include "harness/bench/statistics.h"
#include "harness/core/duration_text.h"

namespace locklab {

namespace {

/// Libraries ask again every 100 or 200 ms.
constexpr Duration kWindow = std::chrono::seconds(2);
constexpr std::uint32_t kClients[] = {2, 4, 8};
constexpr std::uint32_t kMostWhereSmall = 2;

void report_contest(const ContestFigures& figures, std::uint64_t commands,
                    benchmark::State& state) {
    const auto count = [&](const char* name, double value) {
        state.counters[name] = benchmark::Counter(value);
    };
    const double grants_per_s = figures.grants() / figures.seconds;
    state.SetIterationTime(1 / grants_per_s);
    count("grants", figures.grants());
    count("grants_per_s", grants_per_s);
    count("commands_per_grant",
          static_cast<double>(commands) / static_cast<double>(figures.all_grants));
    count("jain", jain_index(figures.shares));
    count("clients_without_a_grant", static_cast<double>(std::ranges::count(figures.shares, 0.0)));
    count("errors", static_cast<double>(figures.errors));
    report_waits(figures.waits, state);
}

void measure(benchmark::State& state, Workbench& bench, MeasuredDrivers& drivers,
             const LiveParameters& parameters, const ContestTerms& usual) {
    ContestTerms terms = usual;
    terms.window = bench.window(kWindow);
    Team& team = drivers.open(bench, parameters, terms.clients);
    CommandWatch watch(bench.endpoint(Transport::tcp));
    const ContestFigures figures = hold_contest(team, terms, [&] { return bench.stopped(); });
    if (bench.stopped()) return;
    if (figures.grants() == 0) {
        throw std::runtime_error(
            "It could not be measured: nobody got the lock" +
            (figures.first_error.empty() ? "" : ", and it said: " + figures.first_error) + ".");
    }
    report_contest(figures, watch.seen(), state);
}

std::string parts_of(const ContestTerms& terms) {
    const std::string wait = terms.waits_itself ? "own" : to_string(terms.wait);
    return "/clients:" + std::to_string(terms.clients) + "/hold:" + to_string(terms.hold) +
           "/think:" + to_string(terms.think) + "/wait:" + wait + "/over:tcp";
}

}  // namespace

void register_drivers_contended(Workbench& bench, MeasuredDrivers& drivers,
                                const LiveParameters& parameters) {
    for (const std::uint32_t clients : kClients) {
        if (bench.small && clients > kMostWhereSmall) continue;
        ContestTerms terms;
        terms.clients = clients;
        terms.hold = parameters.hold;
        terms.think = parameters.think;
        terms.waits_itself = drivers.subject().waits();
        terms.wait = {parameters.waits.front(), parameters.retry};
        bench.add("drivers/contended/" + drivers.subject().operand() + parts_of(terms),
                  [&bench, &drivers, parameters, terms](benchmark::State& state) {
                      drivers.measure([&] { measure(state, bench, drivers, parameters, terms); });
                  });
    }
}

}  // namespace locklab
