#include "tests/algorithms/watched.h"

#include <algorithm>
#include <utility>

namespace locklab {

namespace {

constexpr Duration kWay = std::chrono::milliseconds(1);

ClusterConfig config_of(const Algorithm& algorithm, std::uint32_t clients) {
    ClusterConfig config;
    config.algorithm = &algorithm;
    config.options = algorithm.defaults;
    config.clients = clients;
    config.topology = algorithm.topology();
    config.keeps_history = false;
    return config;
}

bool needs_valkey(const Command& command) {
    if (command.script() != nullptr) return false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == (i == 0 ? "DELIFEQ" : "IFEQ")) return true;
    }
    return false;
}

}  // namespace

Watched::Watched(const Algorithm& algorithm, std::uint32_t clients, std::uint64_t enough,
                 const Workload& workload)
    : enough_(enough),
      workload_(workload),
      clients_(clients),
      cluster_(config_of(algorithm, clients), *this, scripts_) {
    for (std::uint32_t i = 0; i < clients; ++i) cluster_.start(ClientId{i}, workload_);
}

bool Watched::run(Duration longest) {
    while (cluster_.value().unfinished > 0) {
        const auto first = std::ranges::min_element(due_, {}, &Due::at);
        if (first == due_.end() || first->at > Instant(longest)) return false;
        const auto [at, move] = *first;
        due_.erase(first);
        cluster_.pass_to(at);
        // An arrival also where its task was cancelled: the command has left.
        if (move.kind == MoveKind::arrive || cluster_.is_waited_for(move)) {
            cluster_.apply(move);
        } else {
            cluster_.drop(move);
        }
    }
    return true;
}

Watched::Seen Watched::seen() const {
    Seen seen = seen_;
    seen.reads_wall_clock = cluster_.probes()[Probe::wall_clock] > 0;
    seen.reads_monotonic_clock = cluster_.probes()[Probe::monotonic_clock] > 0;
    return seen;
}

void Watched::is_ready(std::uint32_t id) {
    const Message& message = cluster_.message(id);
    if (message.route.node != kOracle) {
        seen_.redis_servers.insert(message.route.node.value);
        if (clients_[message.route.client.value].inside) seen_.commands_inside = true;
        if (needs_valkey(message.command)) seen_.is_for_valkey = true;
    } else if (message.command[0] == "TAKE" || message.command[0] == "GIVE") {
        seen_.asks_oracle = true;
    }
    cluster_.set_arrival(id, cluster_.value().now + kWay);
    cluster_.depart(id);
}

/// Nobody gives up on a reply.
void Watched::armed(const Move& move, const Window& window) {
    if (move.kind == MoveKind::expire) return;
    const bool arrives = move.kind == MoveKind::arrive;
    due_.push_back({arrives ? cluster_.message(move.message).arrives : window.earliest, move});
}

void Watched::noted(const Event& event) {
    Client& client = clients_[event.client.value];
    if (std::holds_alternative<event::Wants>(event.detail)) client.wish = ++wishes_;
    if (const auto* grant = std::get_if<event::Granted>(&event.detail)) granted(client, *grant);
    const bool refused = std::holds_alternative<event::Refused>(event.detail);
    if (refused) ++seen_.refusals;
    const bool in_vain = refused || std::holds_alternative<event::Failed>(event.detail);
    if (in_vain && client.inside) seen_.keeps_holder_out = true;
    const bool leaves = std::holds_alternative<event::Leaving>(event.detail) ||
                        std::holds_alternative<event::Lost>(event.detail);
    if (leaves) client.inside = false;
}

void Watched::granted(Client& client, const event::Granted& grant) {
    for (const Client& other : clients_) {
        if (other.wish != 0 && other.wish < client.wish) seen_.overtaken = true;
        if (&other != &client && other.inside) seen_.overlaps = true;
    }
    ++seen_.grants;
    if (client.inside) ++seen_.retakes;
    if (grant.fence != 0) ++seen_.fences;
    client.wish = 0;
    client.inside = true;
}

}  // namespace locklab
