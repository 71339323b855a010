// live/proxy: the cost of the fault proxy, with every command an event, compared with a direct
// connection and with the same proxy when it only moves bytes. As in driver runs, clients use TCP,
// and the proxy reaches the server over a Unix socket, which costs less.
//
// All three are measured in turn, a slice of each, and their medians compared: if they came one
// after the other, a machine that is busy for a second would distort the comparison. The proxy's
// own processor time is reported as well, which other work hardly changes.

#include <array>
#include <string>
#include <vector>

#include "harness/bench/redis_tool.h"
#include "harness/bench/statistics.h"
#include "harness/bench/suites.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

namespace {

constexpr std::uint32_t kClients[] = {1, 8, 50};
constexpr std::uint32_t kSlices = 5;
constexpr const char* kCommand = "SET locklab:hop token NX PX 1";

ProxyPlan plan_to(const Endpoint& server) {
    const Endpoint anywhere{"", "127.0.0.1", 0};
    ProxyPlan plan;
    plan.links.push_back({{"client", "proxy"}, anywhere, server});
    plan.links.push_back({{"client", "relay"}, anywhere, server, true});
    return plan;
}

void measure(Workbench& bench, std::uint32_t clients, benchmark::State& state) {
    const Endpoint server = bench.endpoint(Transport::tcp);
    const ProxyThread proxy(plan_to(bench.endpoint(Transport::unix_socket)));
    enum Way : std::size_t { direct, relay, proxied, ways };
    const std::array<Endpoint, ways> endpoints{server, proxy.endpoint(1), proxy.endpoint(0)};
    std::array<std::vector<double>, ways> rates;
    std::array<std::vector<double>, ways> processor_us;
    const std::size_t slices = bench.small ? 1 : kSlices;
    for (std::size_t i = 0; i < slices * ways; ++i) {
        // Each round starts with another way.
        const std::size_t way = (i + i / ways) % ways;
        const Endpoint& at = endpoints[way];
        const std::string where = "-h " + at.host + " -p " + std::to_string(at.port);
        const std::uint32_t times = bench.small ? kFewToolCommands : kToolCommands / kSlices;
        // The tool is a separate process: this process is the proxy.
        const ProcessorTime processor(bench.server());
        rates[way].push_back(tool_rate(where, clients, times, kCommand));
        processor_us[way].push_back(1e6 * processor.client() / times);
    }
    const auto rate = [&](Way way) { return median_of(rates[way]).value; };
    state.SetIterationTime(1 / rate(proxied));
    state.counters["commands_per_s"] = rate(proxied);
    state.counters["floor_per_s"] = rate(direct);
    state.counters["ratio_to_direct"] = rate(proxied) / rate(direct);
    state.counters["ratio_to_relay"] = rate(proxied) / rate(relay);
    state.counters["proxy_cpu_us"] = median_of(processor_us[proxied]).value;
    state.counters["relay_cpu_us"] = median_of(processor_us[relay]).value;
    // Each client waits for its reply before it sends again.
    state.counters["added_us"] = 1e6 * clients * (1 / rate(proxied) - 1 / rate(direct));
}

}  // namespace

void register_proxy_hop(Workbench& bench) {
    // It leaves keys behind, which vanish with a private server.
    if (!bench.redis.empty()) return;
    for (const std::uint32_t clients : kClients) {
        bench.add("live/proxy/clients:" + std::to_string(clients) + "/over:tcp",
                  [&bench, clients](benchmark::State& state) { measure(bench, clients, state); });
    }
}

}  // namespace locklab
