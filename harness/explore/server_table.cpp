#include "harness/explore/server_table.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace locklab {

std::size_t ServerTable::Hash::operator()(const ServerState& server) const {
    std::uint64_t hash = server.data.hash();
    hash = (hash ^ hash >> 32 ^ server.saved.bits()) * 0xD6E8FEB86659FD93U;
    const std::uint64_t away = server.down ^ std::uint64_t{server.hung} << 16 ^ server.queue << 32;
    hash = (hash ^ hash >> 32 ^ away) * 0xD6E8FEB86659FD93U;
    return hash ^ hash >> 32;
}

void ServerState::join_queue(std::uint32_t client) {
    int place = 0;
    while (place < kMostInQueue && (queue >> place * kQueueBits & 15U) != 0) ++place;
    if (place == kMostInQueue) {
        throw std::length_error("more than " + std::to_string(kMostInQueue) +
                                " requests that wait at once for a server that hangs are not "
                                "searched");
    }
    queue |= std::uint64_t{client + 1} << place * kQueueBits;
}

std::uint32_t ServerTable::number_of(const ServerState& server) {
    if (servers_.size() >= most_) throw std::length_error("too many states of the server");
    return servers_.number_of(server);
}

ServerTable::Result ServerTable::execute(std::uint32_t server, std::uint16_t command,
                                         std::uint32_t client, std::uint32_t connection) {
    if (const auto result = known(server, command, client, connection)) return *result;
    ServerState after = servers_[server];
    const ServerModel::Result result = model_.execute(after.data, command, client, connection);
    after.data = result.data;
    executed_.add(key_of(server, command, client, connection),
                  static_cast<std::uint32_t>(results_.size()));
    results_.push_back({number_of(after), result.reply, result.takes});
    return results_.back();
}

std::uint32_t ServerTable::leave(std::uint32_t server, std::uint32_t client,
                                 std::uint32_t connection, std::uint32_t as) {
    if (const auto known = known_left(server, client, connection, as)) return *known;
    ServerState after = servers_[server];
    after.data = model_.leave(after.data, client, connection, as);
    const std::uint32_t number = number_of(after);
    left_.add(leave_key(server, client, connection, as), number);
    return number;
}

std::uint32_t ServerTable::renamed(std::uint32_t server, const Permutation& from) {
    if (const auto known = known_renamed(server, from)) return *known;
    ServerState after = servers_[server];
    if (!after.follows()) after.data = model_.renamed(after.data, from);
    if (after.has_saved()) after.saved = model_.renamed(after.saved, from);
    after.queue = 0;
    for (std::uint64_t left = servers_[server].queue; left != 0; left >>= ServerState::kQueueBits) {
        const auto now = std::ranges::find(from, (left & 15U) - 1);
        after.join_queue(static_cast<std::uint32_t>(now - from.begin()));
    }
    const std::uint32_t number = number_of(after);
    renamed_.add(std::uint64_t{server} << 8 | code_of(from), number);
    return number;
}

std::optional<std::uint32_t> ServerTable::known_renamed(std::uint32_t server,
                                                        const Permutation& from) const {
    if (!names_any(server)) return server;
    return renamed_.find(std::uint64_t{server} << 8 | code_of(from));
}

}  // namespace locklab
