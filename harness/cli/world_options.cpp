#include "harness/cli/world_options.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/core/nearest.h"
#include "harness/foreign/pinned_server.h"
#include "harness/live/server_program.h"

namespace locklab {

WorldKind world_option(const CommandLine& line) {
    const auto& name = line.get("world");
    if (name == "sim") return WorldKind::sim;
    if (name == "live") return WorldKind::live;
    const std::array<std::string_view, 2> known{"sim", "live"};
    throw UsageError(unknown_word("world", name, known));
}

std::optional<Topology> topology_option(const CommandLine& line) {
    if (!line.has("topology")) return std::nullopt;
    const auto topology = parse_topology(line.get("topology"));
    if (topology) return topology;
    throw UsageError("--topology '" + line.get("topology") + "' is none; right would be " +
                     right_topologies());
}

UnequalClients unequal_clients(const CommandLine& line) {
    UnequalClients clients;
    const auto read = [&](const std::string& option, const auto& into) {
        if (!line.has(option)) return;
        try {
            into(line.get(option));
        } catch (const std::invalid_argument& error) {
            throw UsageError("--" + option + ": " + error.what());
        }
    };
    const auto times = [&](ClientTime time) {
        return [&clients, time](std::string_view text) { read_client_times(text, time, clients); };
    };
    read("client-ttl", times(&ClientOptions::ttl));
    read("client-renewal", times(&ClientOptions::renewal));
    read("client-job", times(&ClientOptions::job));
    read("client-mode", [&](std::string_view text) { read_client_modes(text, clients); });
    return clients;
}

UnequalClients unequal_clients_for(const CommandLine& line, const Algorithm& algorithm) {
    return kept_by(algorithm, unequal_clients(line));
}

void check_clients_are_there(const UnequalClients& unequal, std::uint32_t clients,
                             std::uint64_t most) {
    if (unequal.empty() || unequal.back().client.value < clients) return;
    const std::uint32_t last = unequal.back().client.value;
    const bool can_be = last < most;
    throw UsageError(std::string("client ") + static_cast<char>('A' + last) +
                     " is given options, and there are " + std::to_string(clients) +
                     " clients; right would be " +
                     (can_be ? "--clients " + std::to_string(last + 1)
                             : std::string("A to ") + static_cast<char>('A' + most - 1)));
}

void check_client_mode(const CommandLine& line, std::span<const Algorithm* const> locks) {
    const auto has_both = [](const Algorithm* lock) { return lock->both_modes; };
    if (!line.has("client-mode") || std::ranges::any_of(locks, has_both)) return;
    const bool is_one = locks.size() == 1;
    throw UsageError("--client-mode is for read-write locks, and " +
                     (is_one ? std::string(locks[0]->name) : "each of these locks") +
                     " can be had in one way only; right would be to leave it out");
}

std::string redis_option(const CommandLine& line, WorldKind world) {
    if (world != WorldKind::live) {
        if (line.has("redis")) throw UsageError("--redis is for --world live");
        if (line.get(kServerOption.name) == "redis") return "";
        throw UsageError("--server is for --world live: in sim the lock says which it needs");
    }
    const char* in_environment = std::getenv("LOCKLAB_REDIS");
    std::string redis = in_environment == nullptr ? "" : in_environment;
    if (line.has("redis")) redis = line.get("redis");
    if (start_servers_of(line) != ServerKind::redis && !redis.empty()) {
        throw UsageError("--server is for servers of locklab's own, and " + redis +
                         " is not; right would be to leave out " +
                         (line.has("redis") ? "--redis" : "LOCKLAB_REDIS") + " or --server");
    }
    return redis;
}

ServerKind start_servers_of(const CommandLine& line) {
    if (!line.has(kServerOption.name)) return ServerKind::redis;
    const std::string name = line.get(kServerOption.name);
    const auto server = server_named(name);
    std::array<std::string_view, kServers.size()> known;
    std::ranges::transform(kServers, known.begin(), &ServerRow::name);
    if (!server) throw UsageError(unknown_word("server", name, known));
    set_server_program(program_of(*server));
    return *server;
}

}  // namespace locklab
