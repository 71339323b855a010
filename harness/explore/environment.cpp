#include "harness/explore/environment.h"

#include <stdexcept>

namespace locklab {

namespace {

/// Environments have 32 bits in a state, and a command of a client the other half of a key.
constexpr std::size_t kMostSettings = 0xFFFF0000;

}  // namespace

std::size_t EnvironmentTable::Hash::operator()(const Environment& environment) const {
    const auto bits_of = [](const ServerData& data) {
        return std::uint64_t{data.shape} << 16 | data.remaining_ms;
    };
    std::uint64_t hash = (environment.budget.bits() ^ 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
    hash ^= environment.now;
    for (const ServerState& server : environment.servers) {
        const std::uint64_t bits = bits_of(server.data) << 32 | bits_of(server.saved);
        hash += server.down;
        hash = (hash ^ hash >> 32 ^ bits) * 0xD6E8FEB86659FD93U;
    }
    return hash ^ hash >> 32;
}

std::uint32_t EnvironmentTable::number_of(const Environment& environment) {
    if (environments_.size() >= kMostSettings)
        throw std::length_error("too many states of the server");
    return environments_.number_of(environment);
}

std::optional<std::uint32_t> EnvironmentTable::known_number_of(
    const Environment& environment) const {
    return environments_.find(environment);
}

EnvironmentTable::Result EnvironmentTable::execute(std::uint32_t environment, std::uint16_t command,
                                                   std::uint32_t client, std::uint32_t server) {
    if (const auto result = known(environment, command, client, server)) return *result;
    Environment after = environments_[environment];
    ServerData& data = after.servers[server].data;
    const ServerModel::Result result = server_.execute(data, command, client);
    data = result.data;
    executed_.add(key_of(environment, command, client, server),
                  static_cast<std::uint32_t>(results_.size()));
    results_.push_back({number_of(after), result.reply});
    return results_.back();
}

std::uint32_t EnvironmentTable::renamed(std::uint32_t environment, const Permutation& from) {
    if (const auto known = known_renamed(environment, from)) return *known;
    Environment after = environments_[environment];
    for (ServerState& server : after.servers) {
        if (server.follows()) continue;
        server.data.shape = server_.renamed(server.data.shape, from);
        if (server.has_saved()) server.saved.shape = server_.renamed(server.saved.shape, from);
    }
    const std::uint32_t number = number_of(after);
    renamed_.add(std::uint64_t{environment} << 8 | code_of(from), number);
    return number;
}

std::optional<std::uint32_t> EnvironmentTable::known_renamed(std::uint32_t environment,
                                                             const Permutation& from) const {
    if (!names_any(environments_[environment])) return environment;
    return renamed_.find(std::uint64_t{environment} << 8 | code_of(from));
}

}  // namespace locklab
