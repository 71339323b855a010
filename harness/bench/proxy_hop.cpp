// live/proxy: what the fault proxy costs beside a direct connection, and beside the same proxy
// where it only moves bytes. All three are measured in each repetition, one right after the other.

#include <stdexcept>

#include "harness/bench/redis_tool.h"
#include "harness/bench/suites.h"
#include "harness/proxy/proxy_thread.h"

namespace locklab {

namespace {

constexpr std::uint32_t kClients[] = {1, 8, 50};
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
    const ProxyThread proxy(plan_to(server), false);
    const auto rate_at = [&](const Endpoint& endpoint) {
        const std::string where = "-h " + endpoint.host + " -p " + std::to_string(endpoint.port);
        return tool_rate(where, clients, bench.small, kCommand);
    };
    const double direct = rate_at(server);
    const double relayed = rate_at(proxy.endpoint(1));
    const double proxied = rate_at(proxy.endpoint(0));
    state.SetIterationTime(1 / proxied);
    state.counters["commands_per_s"] = proxied;
    state.counters["ratio_to_direct"] = proxied / direct;
    state.counters["ratio_to_relay"] = proxied / relayed;
    // Each client waits for its reply before it sends again.
    state.counters["added_us"] = 1e6 * clients * (1 / proxied - 1 / direct);
}

}  // namespace

void register_proxy_hop(Workbench& bench) {
    // It leaves keys behind, which go with a private server.
    if (!bench.redis.empty()) return;
    for (const std::uint32_t clients : kClients) {
        bench.add("live/proxy/clients:" + std::to_string(clients) + "/over:tcp",
                  [&bench, clients](benchmark::State& state) { measure(bench, clients, state); });
    }
}

}  // namespace locklab
